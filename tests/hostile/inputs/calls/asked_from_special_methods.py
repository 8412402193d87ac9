# Asks the host from where the interpreter itself calls, and cannot wait
class Asks:
    def __init__(self, n=0): self.n = later(n)
    def __repr__(self): return f'{later(self.n)}'
    def __str__(self): return echo('s')
    def __eq__(self, other): return later(True)
    def __lt__(self, other): return later(False)
    def __hash__(self): return later(1)
    def __len__(self): return later(3)
    def __bool__(self): return later(False)
    def __iter__(self): return iter([later(1), soon(2)])
    def __getitem__(self, key): return later(key)
    def __contains__(self, key): return later(key)
    def __call__(self, *args): return later(args)
    def __enter__(self): return later(self)
    def __exit__(self, *args): return later(1)
    def __add__(self, other): return later(1)
    def __getattr__(self, name): return later(name)
    def __format__(self, spec): return later(spec)
    def __index__(self): return later(1)
tries = ['x == x', 'sorted([x, x, x])', '{x: x, Asks(): 1}', 'len(x)', 'not x', '[*x]', 'x[1]', '2 in x', 'x(1)', 'x + x', 'x.y', 'f"{x:>{x}}"',
         '[0, 1][x]', 'str(x)', '[x]', 'max(x, x)', 'sum([x, x])', 'any([x])', 'dict([x])', 'x in [1, x]', '"%s %r" % (x, x)', '[x].index(2)', '",".join(x)']
for code in tries:
    try:
        x = Asks()
        print(code, f'{eval(code)}'[:60])
    except Exception as error:
        print(code, str(error)[:60])
with Asks() as x: x
[Asks(), {Asks(): Asks()}]
