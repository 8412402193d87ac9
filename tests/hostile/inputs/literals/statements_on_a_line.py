# as many statements on one line as there is room for, which are all told of in a traceback
x = 0
def f(n): ⟦x = 1; ⟧5000 return f(n - 1) if n else x.y⟦; x = '	😀'⟧1500
f(300)
