# Raises everything but exceptions, catches by everything but types
class Fake:
    def __call__(self): return self
    def __instancecheck__(self, x): return True
class Makes(Exception): pass
things = [1, None, 'x', Fake, Fake(), [], (), (ValueError, (KeyError, (1,))), int, type, print, lambda: ValueError, Makes, echo, NotImplemented, ..., {}, range(3), [ValueError]]
t = (ValueError,)
for _ in range(22):
    t = (t, t)
for thing in things + [t]:
    for way in ('raise thing', 'raise thing from thing', 'raise ValueError from thing', 'raise', 'raise thing()'):
        for what in ('thing', '(thing, BaseException)', 'things', 'raises', 't'):
            try:
                exec(f'try:\n {way}\nexcept {what} as caught:\n print(caught)')
            except BaseException as error:
                said = f'{error!r}'
try:
    raise Fake() if 0 else t
except t:
    pass
