# Going through what has items by number; see `compat/classes.rs`.
def _rlm_load(next, iter):
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
    return iterate, holds
_rlm_items, _rlm_holds = _rlm_load(next, iter)
