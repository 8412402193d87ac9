# special methods that give what they must not, to functions that ask in Python's place
class A:
    def __init__(self, n): self.n = n
    def __len__(self): return self.n
    def __bool__(self): return self.n
    def __lt__(self, other): self.n = A(1); return self
    def __format__(self, spec): return A(spec)
    def __getattr__(self, name): return getattr(self, name + 'x')
    def __contains__(self, x): return self
    def __getitem__(self, i): return A(i)
    def __ne__(self, other): return self != other
    def __iadd__(self, other): return NotImplemented
    def __hash__(self): return 1 << 99999
    def __iter__(self): return self
    def __next__(self): raise self
    def __repr__(self): return A(1)
for n in [-1, 1 << 99, 'x', None, A(1), 1.5]:
    for f in [len, bool, lambda a: not a, lambda a: a and 1, lambda a: sorted([a, a]), lambda a: max(a, a), lambda a: f'{a:x}', lambda a: a.b, lambda a: 1 in a, lambda a: a != a, lambda a: {a: a}, list, repr, lambda a: hasattr(a, 'y'), lambda a: reversed(a), echo, lambda a: [*map(len, a)]]:
        try: f(A(n))
        except Exception as e: print(type(e).__name__, end=' ')
A(1)
