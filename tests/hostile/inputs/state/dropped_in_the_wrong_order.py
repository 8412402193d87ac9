# Frees what is being looked at: lists while they are sorted, dicts while they are read
import json, copy, re, functools
class Frees:
    def __init__(self, n=0): self.n = n
    def free(self, *args):
        global xs, d, s, Frees_
        xs.clear(), d.clear(), s.clear()
        xs, d, s = [Frees(9)] * 100, {Frees(1): 1}, {Frees(2)}
        return self.n
    def __hash__(self): return self.free()
    def __eq__(self, other): self.free(); return self.n == 0
    def __lt__(self, other): self.free(); return True
    def __repr__(self): self.free(); return 'f'
    def __iter__(self): self.free(); return iter(xs)
    def __getitem__(self, i): xs.pop(); return xs[i]
    def __deepcopy__(self, memo): memo.clear(); self.free(); return copy.deepcopy(xs)
    def keys(self): self.free(); return xs
def start():
    global xs, d, s
    xs, d, s = [Frees(n) for n in range(100)], {n: Frees(n) for n in range(100)}, {1, 2, 3}
ways = ['xs.sort()', 'sorted(xs, key=lambda x: xs.clear() or x)', 'xs == xs[:]', 'xs.index(5)', 'xs.extend(xs[3])', 'd.update(xs[2])', 'repr([xs, d])', 'd[Frees()]', 's | {Frees()}', '[xs.clear() for x in xs]', '{k: d.clear() for k in d}', 'xs.remove(Frees())', 'max(xs)',
        'copy.deepcopy([xs, d])', 'f"{xs}{d}"', 'xs[:] = (xs.clear() or 1 for _ in range(9))', 'xs[10:20] = xs[0]', 'd |= d', '[*xs[0], *xs]', 'print(*xs)', 'a, *b = xs[0]', 're.sub(".", lambda m: f"{xs}{xs.clear()}", "aaa")', 'functools.reduce(lambda a, b: a.free(), xs)',
        'xs.__init__(xs)', 'xs *= 2; xs.sort(key=d.get)', 'del xs[xs[0].free():]', 'for x in d: d[x.free() if x == 5 else x + 100] = 1', 'json.dumps(d)', 'sum(xs, Frees())', 'Frees()[0:1]', 'dict(zip(xs, xs[0]))', 's.symmetric_difference_update(xs)', 'min(d, key=d.pop)', 'xs.insert(xs.clear() or 0, xs)']
for n in range(300):
    for way in ways:
        try:
            start(), exec(way)
        except Exception as error:
            said = str(error)
