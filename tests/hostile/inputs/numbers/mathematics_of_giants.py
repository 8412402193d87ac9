# Functions of mathematics with what is too large, too small, no number, or without end
import math, itertools
def go(f):
    try:
        print(str(f())[:40])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
odd = (10 ** 400, -10 ** 400, 2 ** 1023 * 2.0, float('inf'), float('nan'), 5e-324, -0.0, 2 ** 63, True, 1e22)
names = 'sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p sqrt cbrt gamma lgamma erf erfc ceil floor trunc fabs degrees radians isqrt ulp frexp modf isfinite factorial'.split()
for name in names:
    for x in odd:
        if name not in ('factorial', 'isqrt') or x < 10:
            go(lambda: getattr(math, name)(x))
go(lambda: math.ldexp(1.0, 2 ** 63))
go(lambda: math.ldexp(5e-324, -2 ** 64))
go(lambda: math.nextafter(0.0, 1.0, steps=2 ** 64))
go(lambda: math.log(10 ** 1_000_000, 2))
go(lambda: math.fsum([1e308, 1e308, -1e308] * 100_000))
go(lambda: math.hypot(*[1e200] * 100_000))
go(lambda: math.dist([1e308] * 9, [-1e308] * 9))
go(lambda: math.sumprod([10 ** 400] * 9, [1.5] * 9))
go(lambda: math.fmod(1e308, 5e-324))
go(lambda: math.remainder(1e308, 5e-324))
math.fsum(itertools.repeat(0.1))
