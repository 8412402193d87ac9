# Asks from text in text in text, which defines what asks next
source = 'later(1)'
for _ in range(6):
    source = f'eval({source!r})'
print(eval(source))
try:
    exec('async def f(n):\n return await soon(n) + await f(n - 1) if n else later(0)\nx = await f(5)')
except BaseException as error:
    print(repr(error)[:100])
exec('def g(n):\n exec(f"later({n}); g({n} + 1)")')
try:
    g(0)
except BaseException as error:
    print(repr(error)[:100])
exec('later = echo = lambda x: exec("later(x)")\nlater(1)')
