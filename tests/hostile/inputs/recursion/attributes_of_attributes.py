# Attributes, items, calls and contexts that are asked for while they are asked for
class Self:
    def __getattr__(self, name):
        return getattr(self, name + 'x')
    def __getitem__(self, i):
        return self[self]
    def __setitem__(self, i, x):
        self[x] = i
    def __call__(self, *args):
        return self(self, *args)
    def __enter__(self):
        with self as x:
            return x
    def __exit__(self, *what):
        with self:
            raise ValueError(what)
    def __iter__(self):
        yield from self
    @property
    def deep(self):
        return self.deep
    @deep.setter
    def deep(self, x):
        self.deep = x
    @classmethod
    def kind(cls):
        return cls.kind()
    @staticmethod
    def plain():
        return Self.plain()
def into():
    with Self() as x:
        return x
s = Self()
for f in (lambda: s.a, lambda: hasattr(s, 'a'), lambda: setattr(s, 'a', 1), lambda: s[0], lambda: s.__setitem__(1, 2), lambda: s(), into, lambda: list(s), lambda: [*s], lambda: s.deep, lambda: setattr(s, 'deep', 1), Self.kind, Self.plain, lambda: dict(s), lambda: 1 in s, lambda: max(s), lambda: f'{s.b[s.c]()}', lambda: f(**s), lambda: s.__class__.__name__):
    try:
        f()
    except RecursionError:
        print('deep')
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
