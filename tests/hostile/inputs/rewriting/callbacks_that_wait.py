# callbacks that ask the host, in callbacks that ask the host
f = lambda x: later(x)
x = [*⟦map(lambda x: max([x, echo(x)], key=lambda y: sorted([y], key=later)[0]), ⟧12 range(3)⟦)⟧12]
y = [3, 1, 2]
y.sort(key=lambda x: later(y.append(x) or len(y)))
def g(n): return [*filter(g, [n - 1])] if later(n) > 0 else []
try: g(2000)
except RecursionError: print(len(y))
print(sorted(map(later, range(300)), key=later)[0], min(map(f, x), key=f, default=f))
for x in map(f, y):
    if len(y) < 500: y.append(f)
