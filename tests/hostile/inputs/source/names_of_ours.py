# names that are the session's own, by each way to bind or to read one
for text in ['def f(*_rlm_args, **_rlm_kw): pass', 'class _rlm_kit: pass', 'import json as _rlm_show', 'import json._rlm_show', 'from json import loads as _rlm_show', 'for _rlm_eval in [1]: pass',
             'try: 1/0\nexcept Exception as _rlm_report: pass', 'match {}:\n case {**_rlm_show}: pass', 'match []:\n case [*_rlm_show]: pass', 'match 1:\n case int() as _rlm_show: pass', 'match 1:\n case _rlm_show: pass',
             '(lambda _rlm_x: _rlm_x)(1)', '[_rlm_y for _rlm_y in [1]]', '(_rlm_z := 1)', 'def f():\n global _rlm_value\n _rlm_value = 1\nf()', 'def f():\n nonlocal _rlm_value', 'del _rlm_value', 'type _rlm_t[_rlm_u] = 1', 'def f[_rlm_show](): pass',
             '*_rlm_a, b = 1, 2', 'with open as _rlm_a: pass', '_rlm_a: int', '_rlm_a: int = 1', '_rlm_a += 1', '@_rlm_check\ndef f(): pass', 'f"{_rlm_kit}"', 'f"{1:{_rlm_kit}}"', 't"{_rlm_kit}"', 'x: _rlm_kit', 'def f() -> _rlm_kit: pass', 'def f(x=_rlm_kit): pass', 'print(_rlm_a=1)',
             'async def f():\n async for _rlm_a in x: pass', 'class A:\n _rlm_show = 1', 'class A(metaclass=_rlm_kit): pass', 'x._rlm_show', '_rlm_', '__rlm_show', '_ｒlm_show', '_rlm＿show = 1', '\\\n_rlm_show']:
    try: exec(text); print('passed', text)
    except Exception as e: print(type(e).__name__)
