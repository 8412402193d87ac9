# names that are the session's own, where they are no names: keys, attributes, texts, other scopes
def f(**k): return k
f(_rlm_show=1, _rlm_kit=2)
class A: pass
a = A()
setattr(a, '_rlm_kit', 2)
d = {'_rlm_show': len, '_rlm_check': len, '_rlm_value': 3, '_rlm_locals': list, 'locals': list, '__builtins__': {}, '_rlm_checked': len, '_rlm_finish': print}
exec('x = 1', d)
eval('x', d, d)
d.update(_rlm_returned=True)
f"{'_rlm_show'}"
for n in ['_rlm_kit', ' _rlm_kit', '_ｒlm_kit', '_rlm_kit ', '"_rlm_kit"', "'_rlm_kit'", '_rlm_kit\n']:
    for g in [FINAL_VAR, lambda n: eval(n), lambda n: exec(n + ' = 1'), lambda n: getattr(a, n), lambda n: exec(f'import json as {n}'), lambda n: eval(n, d), lambda n: __import__(n)]:
        try: print(g(n))
        except Exception as e: print(type(e).__name__)
