# Gets at evaluation by ways on which nobody looks at what is evaluated
found = []
def grab(x=None, *, f=lambda: 0): return x
ways = ['e = eval', '[eval][0]("1")', '(lambda: eval)()("1")', 'eval(*["1"])', 'eval(source="1")', 'eval.__call__("1")', 'map(eval, ["1"])', 'from builtins import eval as e', 'import builtins',
        'def f(exec): return exec\nf(1)', 'class exec: pass\nexec()', 'for eval in [print]: eval("x")', 'import math as eval\neval.pi', '(eval := print)("x")', 'with open("x") as eval: pass',
        'try: 1/0\nexcept Exception as exec: exec("x = 1")', 'match print:\n case eval: eval("y")', 'global eval\neval = print\neval("z")', 'def eval(x): return x\neval("_rlm_kit")', '_rlm_check("1")',
        'getattr(print, "__self__").eval("1")', 'type(eval)', 'sorted(["1"], key=eval)', 'f"{eval}"', 'async def exec(): pass\nawait exec()', 'del eval\neval("1")', 'eval = exec = None\neval("1")',
        'eval("ev" + "al(\'1\')")', 'exec("exec(\'exec(\\\\\'_rlm_kit\\\\\')\')")', 'eval(f"{1}{0}")', 'eval(b"1")', 'eval(grab)', 'eval(1)', 'eval("", {}, {}, {})', 'eval()', 'exec("x=1", {"x": 2}); x']
for way in ways:
    try:
        exec(way)
        found.append(way)
    except BaseException as error:
        print(f'{way!r:.40}', str(error)[:60])
found
