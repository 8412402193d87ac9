# What generator functions give; see `compat/generators.rs`.
def _rlm_load(iter, next, list, len):
    # Each worker of a pool has its own; see `modules/concurrent.py`.
    active = _rlm_kit['active']
    class generator:
        def __init__(self, f, args, kwargs, name):
            self._f = f
            self._args = args
            self._kwargs = kwargs
            self._name = name
            self._items = None
            self._error = None
        def __iter__(self):
            return self
        def __next__(self):
            if self._items is None:
                self._run()
            for item in self._items:
                return item
            error = self._error
            if error is not None:
                self._error = None
                raise error
            raise StopIteration
        def _run(self):
            items = []
            self._items = iter(items)
            active.append(items)
            try:
                self._f(*self._args, **self._kwargs)
            except BaseException as error:
                if not items:
                    active.pop()
                    raise
                self._error = error
            active.pop()
            self._items = iter(items)
        def __repr__(self):
            return f'<generator object {self._name}>'
        def close(self):
            self._items = iter(())
            self._error = None
        def send(self, value):
            if value is None:
                return next(self)
            raise NotImplementedError('send() of a generator is not available in this sandbox')
    def generate(f, at_once, name):
        def make(*args, **kwargs):
            made = generator(f, args, kwargs, name)
            if at_once:
                made._run()
            return made
        return make
    def yield_(item):
        active[-1].append(item)
    def yield_from(items):
        active[-1].extend(items)
    return generate, yield_, yield_from
_rlm_generate, _rlm_yield, _rlm_yield_from = _rlm_load(iter, next, list, len)
