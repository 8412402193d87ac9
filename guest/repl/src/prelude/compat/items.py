# Going through what has items by number; see `compat/classes.rs`.
def _rlm_load(hasattr, AttributeError, TypeError):
    class items:
        def __init__(self, of):
            self._of = of
            self._at = -1
        def __iter__(self):
            return self
        def __next__(self):
            self._at += 1
            try:
                return self._of[self._at]
            except IndexError:
                pass
            raise StopIteration
    def iterate(self):
        return items(self)
    def holds(self, wanted):
        for item in items(self):
            if item == wanted:
                return True
        return False
    def by_index(made, has_contains):
        # Classes behind it may have their own, and a decorator may have made something else of it.
        try:
            if not hasattr(made, '__iter__'):
                if not has_contains and not hasattr(made, '__contains__'):
                    made.__contains__ = holds
                made.__iter__ = iterate
        except (AttributeError, TypeError):
            pass
    return by_index
_rlm_by_index = _rlm_load(hasattr, AttributeError, TypeError)
