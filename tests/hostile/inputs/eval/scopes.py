# evaluation in every scope there is, of what binds names there
class A:
    exec('x = 1')
    y = eval('[x for x in (1, 2)]')
    z = eval('lambda self: x')
def f(a):
    x = 1
    exec('x = 2; a = x')
    exec('global x; x = 5')
    g = lambda: eval('x + a')
    return [eval('x') for x in (1, 2)], g(), eval('lambda: x')(), eval('(a := 7)'), a, {**{'x': exec('del a')}}
async def h(): return await eval('h()') if later(1) == 2 else eval('later(1)')
def k():
    yield eval('2')
    exec('yield 3')
for g in [lambda: f(1), lambda: eval('await h()'), lambda: exec('return 1'), lambda: [*k()], lambda: A().f(), lambda: eval('x = 1'), lambda: sorted([1], key=lambda x: eval('x')), lambda: [*map(lambda t: eval(t), ['1', 'x'])]]:
    try: print(g())
    except BaseException as e: print(repr(e)[:70])
await h()
