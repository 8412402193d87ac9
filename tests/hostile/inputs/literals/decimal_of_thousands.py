# decimal digits that take quadratic time to read and to write, by whatever way there is
import json, math, fractions
x = ⟦9⟧4300
y = x ** 2000
for f in [lambda: int('9' * 4300), lambda: json.loads('9' * 1000000), lambda: f'{y:,d}', lambda: '%d' % y, lambda: f'{y:e}', lambda: float(y), lambda: math.sqrt(y), lambda: y // x ** 999 % 7,
          lambda: math.factorial(5000) ** 9, lambda: int('9_' * 2000000 + '9', 36), lambda: echo(y), lambda: hash(y), lambda: fractions.Fraction(y, x ** 1999), lambda: math.isqrt(y), lambda: y.bit_count(), lambda: pow(x, y, x ** 9), lambda: divmod(y * y, y)]:
    try: print(repr(f())[:20])
    except Exception as e: print(type(e).__name__, str(e)[:40])
y
