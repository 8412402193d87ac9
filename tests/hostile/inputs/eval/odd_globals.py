# dictionaries for names that are none, that change, that hold themselves
class A:
    def __hash__(self): return hash('x')
    def __eq__(self, other): d.clear(); return True
d = {}
d['d'] = d
for g in [d, {A(): 1, 'd': d}, {1: 2, None: 3, ('x',): 4}, {'print': 1, 'eval': print, 'exec': print}, {'__builtins__': {'print': len}}, {'x\0y': 1, '': 2, 'a b': 3, 'é': 4}, {str(n): n for n in range(99999)}, [], None, 'x', A, {}.keys(), type]:
    for l in [None, g, {}, d, A()]:
        for text in ['x = 1', 'd', 'print(x)', 'def f(): return f', 'global x; x = d', 'del d', 'd.clear()', 'for k in d: d[k * 2] = k', '[x for x in (lambda: d)()]', 'import json', 'class B: x = x', 'print(1); x: int = 1; f"{x}"']:
            try: exec(text, g, l)
            except Exception as e: pass
print(len(d))
