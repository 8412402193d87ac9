# thousands of arguments and parameters, of each kind
def f(*a, **k): return len(a), len(k)
names = {f'a{n}': n for n in range(40000)}
print(f(*range(300000), **names), f(*[1], ⟦*[1], ⟧900 **{'a': 1}), f(⟦1, ⟧255))
for text in ['def g(' + ','.join(names) + '): pass', 'def g(*,' + '=1,'.join(names) + '): pass', 'lambda ' + ','.join(names) + ': 1', 'f(' + '=1,'.join(names) + '=1)', 'f(' + '1,' * 70000 + ')']:
    try: exec(text)
    except Exception as e: print(repr(e)[:99])
