# Hands over one of everything that there is, alone, nested and by name
import math, re, datetime, decimal, fractions, asyncio, json
async def co(): pass
def gen(): yield 1
a = []
a.append(a)
odd = [float('nan'), -math.inf, -0.0, 5e-324, 1 + 2j, b'\xff\x00', ..., NotImplemented, range(10 ** 17), slice(1), int,
       len, print, gen, gen(), co(), math, re.compile('x'), re.match('x', 'x'), datetime.timedelta.max, datetime.datetime.max,
       decimal.Decimal('sNaN'), fractions.Fraction(1, 3), iter([]), zip(), map(len, []), {}.keys(), echo, llm_query, soon(1),
       asyncio.sleep(1), {1, 2}, frozenset(), a, type, object(), lambda: 0, ValueError, KeyError(1), json, FINAL, '\x00\ud7ff']
for value in odd:
    for shape in (value, [value], {'k': value}, (value, value)):
        for ask in (echo, later):
            try:
                answer = ask(shape)
                print(f'{answer!r}'[:50])
            except Exception as error:
                print(str(error)[:50])
    try:
        echo(value=value), echo({value: value}), echo({(value,): 1})
    except Exception as error:
        print(str(error)[:50])
odd
