# managers one within the other, which all leave by an exception; then more than there may be
class M:
    def __enter__(self): return self
    def __exit__(self, *a): return 1 / 0
m = M()
try:
    with ⟦m as n, ⟧60 m: raise ValueError
except ZeroDivisionError as e:
    print(repr(e))
exec('with ' + 'm, ' * 12000 + 'm: pass')
