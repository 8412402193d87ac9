# functions that evaluate calls of themselves, twice each
def f(n): return eval('f(n + 1)') + eval('f(n + 1)') if n < 100 else 1
f(0)
