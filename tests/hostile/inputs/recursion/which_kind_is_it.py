# Kinds in tuples in tuples, as deep as can be, for isinstance, except, match and startswith
kinds, wide = (int,), (int,)
for i in range(50_000):
    kinds = (kinds, str)
for i in range(22):
    wide = (wide, wide)
def raises(k):
    try:
        1 / 0
    except k:
        return 'caught'
def go(f):
    try:
        print(str(f())[:60])
    except BaseException as e:
        print(type(e).__name__, str(e)[:60])
class Meta:
    def __instancecheck__(self, x):
        return isinstance(x, self)
    def __subclasscheck__(self, x):
        return issubclass(x, self)
go(lambda: isinstance(1.5, kinds))
go(lambda: issubclass(bool, kinds))
go(lambda: raises(kinds))
go(lambda: 'a'.startswith(kinds))
go(lambda: isinstance(1.5, Meta()))
go(lambda: '%s' % kinds)
go(lambda: '%s %s' % (kinds, 1))
go(lambda: hash(kinds))
go(lambda: raises(([ValueError],)))
go(lambda: isinstance(1.5, wide))
raises(wide)
