# letters that are one letter to some and several to others
é = 1
é = 2
ﬀ = ff = 3
ǆ, ß, İ, ᾳ = ﬀ, 5, 6, 7
class K:
    def ﬁ(self): return len(self.__ﬃ)
    __ﬃ = 'x'
    def __len__(self): return 1
    @property
    def ª(self): yield 1
k = K(); k.ﬃ = 1; setattr(k, 'ﬃ', 2)
print(é, k.ffi, k.fi(), [*k.a], f'{é=} {ﬀ=:>9} {k.ª=}')
def f(**ª): return ª
def ﬁ(): yield from (ﬀ := 1,)
for ª in ﬁ():
    del ª
f(ª=1)
