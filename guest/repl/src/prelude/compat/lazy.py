# Iterators that work when they are asked; see `compat/lazy.rs`.
#
# A step is a comprehension in a function: called with None it says what it goes
# through, by `source`, and called with a list of one item it works that off.
def _rlm_load(iter, next, len, list, any, all, hasattr, reversed, range):
    given = []
    def source(it):
        given.append(it)
        return ()
    def through(step):
        step(None)
        return given.pop()
    class generator:
        def __init__(self, step):
            self._step = step
            self._source = iter(through(step))
            self._ready = ()
            self._at = 0
        def __iter__(self):
            return self
        def __next__(self):
            while self._at >= len(self._ready):
                item = next(self._source)
                try:
                    self._ready = self._step([item])
                except BaseException:
                    self._source = iter(())
                    self._ready = ()
                    raise
                self._at = 0
            self._at += 1
            return self._ready[self._at - 1]
        def __repr__(self):
            return '<generator object <genexpr>>'
        def close(self):
            self._source = iter(())
            self._ready = ()
    class map:
        def __init__(self, f, *its):
            if not its:
                raise TypeError('map() must have at least two arguments.')
            self._f = f
            self._its = [iter(it) for it in its]
        def __iter__(self):
            return self
        def __next__(self):
            if len(self._its) == 1:
                return self._f(next(self._its[0]))
            return self._f(*[next(it) for it in self._its])
    class filter:
        def __init__(self, f, it):
            self._f = f
            self._it = iter(it)
        def __iter__(self):
            return self
        def __next__(self):
            while True:
                item = next(self._it)
                if _rlm_truth(item) if self._f is None else self._f(item):
                    return item
    class zip:
        def __init__(self, *its, strict=False):
            self._its = [iter(it) for it in its]
            self._strict = strict
        def __iter__(self):
            return self
        def __next__(self):
            if not self._its:
                raise StopIteration
            row = []
            for it in self._its:
                try:
                    row.append(next(it))
                except StopIteration:
                    if self._strict:
                        self._check(len(row))
                    raise
            return (*row,)
        def _check(self, at):
            if at:
                raise ValueError(f"zip() argument {at + 1} is shorter than argument{'s 1-' if at > 1 else ' '}{at}")
            for other in range(1, len(self._its)):
                try:
                    next(self._its[other])
                except StopIteration:
                    continue
                raise ValueError(f"zip() argument {other + 1} is longer than argument{'s 1-' if other > 1 else ' '}{other}")
    class enumerate:
        def __init__(self, iterable, start=0):
            self._it = iter(iterable)
            self._at = start - 1
        def __iter__(self):
            return self
        def __next__(self):
            item = next(self._it)
            self._at += 1
            return (self._at, item)
    class until:
        def __init__(self, f, end):
            self._f = f
            self._end = end
        def __iter__(self):
            return self
        def __next__(self):
            item = self._f()
            if item == self._end:
                raise StopIteration
            return item
    def reversed_(xs):
        if hasattr(xs, '__reversed__'):
            return xs.__reversed__()
        if hasattr(xs, '__getitem__') and hasattr(xs, '__len__'):
            return iter([xs[i] for i in range(xs.__len__() - 1, -1, -1)])
        return iter(reversed(xs))
    def any_(step):
        for item in through(step):
            for v in step([item]):
                if v:
                    return True
        return False
    def all_(step):
        for item in through(step):
            for v in step([item]):
                if not v:
                    return False
        return True
    def next_(step, *default):
        for item in through(step):
            for v in step([item]):
                return v
        if default:
            return default[0]
        raise StopIteration
    class gate:
        def __init__(self):
            self.open = True
        def of(self, it):
            self._it = iter(it)
            return self
        def __iter__(self):
            return self
        def __next__(self):
            if self.open:
                return next(self._it)
            raise StopIteration
        def see(self, v):
            self.open = False
            return v
        def see_true(self, v):
            if v:
                self.open = False
            return v
        def see_false(self, v):
            if not v:
                self.open = False
            return v
        def seen(self, seen):
            return seen
    def next_seen(seen, *default):
        if seen:
            return seen[0]
        if default:
            return default[0]
        raise StopIteration
    def truth(x):
        if hasattr(x, '__bool__'):
            return x.__bool__()
        if hasattr(x, '__len__'):
            return x.__len__() != 0
        return x
    return truth, source, generator, map, filter, zip, enumerate, reversed_, until, any_, all_, next_, gate, any, all, next_seen
_rlm_iter = iter
_rlm_truth, _rlm_source, _rlm_generator, _rlm_lazy_map, _rlm_lazy_filter, _rlm_lazy_zip, _rlm_lazy_enumerate, _rlm_lazy_reversed, _rlm_iter_until, _rlm_any, _rlm_all, _rlm_next, _rlm_gate, _rlm_any_seen, _rlm_all_seen, _rlm_next_seen = _rlm_load(iter, next, len, list, any, all, hasattr, reversed, range)
