# Instances whose text is that of themselves, by every way to make one
class Self:
    def __repr__(self):
        return f'{[self]!r}'
    def __str__(self):
        return '%s' % self
    def __format__(self, spec):
        return f'{self:{self}}'
    def __bytes__(self):
        return bytes(self)
class Long:
    def __repr__(self):
        return repr(self) if len(seen) > 900 else (seen.append(1), repr([self, self]))[1]
seen = []
x = Self()
for f in (lambda: repr(x), lambda: str(x), lambda: f'{x}', lambda: f'{x!s:>{x}}', lambda: '%r %s' % (x, x), lambda: '{:{}}'.format(x, x), lambda: print(x), lambda: ascii(x), lambda: str({x: [x]}), lambda: echo(x), lambda: later([x]), lambda: 1 / 0 if x == 1 else {}[x], lambda: FINAL(x), lambda: bytes(x), lambda: repr(Long()), lambda: int(x), lambda: exec(f'{x}'), lambda: ValueError(x)):
    try:
        f()
    except RecursionError as e:
        print('deep')
    except Exception as e:
        print(type(e).__name__)
[x, {1: x}, Long()]
