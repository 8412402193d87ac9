# host functions, finishers and imports within evaluated text, which nobody saw before
exec('import asyncio, os.path as p' if 0 else 'import asyncio')
for t in ['later(1)', 'await later(1)', '[*map(later, [1])]', 'sorted([2, 1], key=later)', 'llm_query("x")', 'import os', 'from os import path', '__import__("os")', 'open("/etc/passwd")', 'FINAL(later(2))', 'FINAL_VAR("t")', 'answer["ready"] = True', 'eval("later(3)")', 'context', 'locals()', 'globals()', 'print = later', 'later = print', 'def FINAL(x): return x', 'class llm_query: pass', 'global answer; answer = 1', 'del FINAL', 'SHOW_VARS()', 'budget()', 'import concurrent.futures']:
    for f in [lambda t: eval(t), lambda t: exec(t), lambda t: exec(t, {'t': t}), lambda t: exec('def g():\n ' + t + '\ng()'), lambda t: [*map(lambda t: exec(t), [t])]]:
        try: print(repr(f(t))[:40])
        except Exception as e: print(type(e).__name__, str(e)[:40])
