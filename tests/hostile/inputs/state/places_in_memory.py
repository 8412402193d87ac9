# Asks where things are and what they hash to, and looks for what was there before
class A: pass
seen = {}
for n in range(10 ** 6):
    thing = [A(), [n], f'{n}', (n,), lambda: n, {n}, object()][n % 7]
    seen[id(thing)] = seen.get(id(thing), ()) + (hash(f'{n}'), hash((n, 'x')), f'{thing!r}')
    if n % 1000 == 0:
        print(id(n), id(None), id(seen), hash(print), hash(echo), hash(A), id(_as_it_was), f'{echo!r}{A()!r}')
