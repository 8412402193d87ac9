# Factorials, products and choices of billions
import math
from functools import reduce
def go(f):
    try:
        print(str(f())[:40])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
go(lambda: math.comb(2 ** 64, 2 ** 64 - 1))
go(lambda: math.comb(10 ** 100, 3))
go(lambda: math.perm(2 ** 63, 0))
go(lambda: math.comb(5, 10 ** 30))
go(lambda: math.factorial(-10 ** 30))
go(lambda: math.factorial(2 ** 64))
go(lambda: math.lcm(*range(1, 20_000)) % 97)
go(lambda: math.perm(10 ** 9, 200_000) % 97)
go(lambda: math.comb(10 ** 6, 5 * 10 ** 5) % 97)
go(lambda: math.comb(10 ** 18, 5 * 10 ** 17))
go(lambda: math.prod(range(1, 10 ** 9)))
math.factorial(10 ** 9)
