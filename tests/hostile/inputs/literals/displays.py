# displays of thousands of items, of all kinds, one in the other, with keys that are the same
x = [⟦1, 'a', (1, 2), {1, 2}, {1: 2, True: 3, 1.0: 4}, [1, [2]],
⟧500]
y = {⟦**{}, 'a': 1, 'b': [], 1: 1, 1.0: 2, True: 3, 0: 0, False: 1, -0.0: 2,
⟧200}
z = {⟦1, True, 1.0, *[], ⟧400}
[x, y, z]
