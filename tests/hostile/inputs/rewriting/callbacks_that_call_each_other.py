# thousands of functions, each of which calls the host by the next one
⟦def a(): return b(); a = lambda: c
⟧0exec('\n'.join([f'def f{n}(x): return f{n+1}(x) if x else 1' for n in range(9000)]))
⟦def f(x): return g(x)
def g(x): return h(x)
def h(x): return [*map(f, [later(x)])]
⟧500print(f(1))
