# exceptions that hold each other and ask for where they came from
class E(Exception):
    def __init__(self, n, e): super().__init__(n, e); self.n = n; self.e = e
    def __str__(self): return f'{self.n}{self.e!r}{self.e}'
def f(n, e=None):
    try: raise E(n, e) from e
    except E as x: x.__context__; x.add_note(str(n)); return f(n + 1, x) if n < 90 else x
x = f(0)
for g in [lambda x: x.__cause__.__cause__, lambda x: x.args, lambda x: {}[x], lambda x: [1][x], repr, str, echo, FINAL_VAR]:
    try: print(repr(g(x))[:60])
    except Exception as e: print(type(e).__name__)
raise x from x
