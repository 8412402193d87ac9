# The worst pairs for divisors, roots of millions of bits, and divisions of all sizes
import math
a, b = 1, 1
for i in range(30_000):
    a, b = a + b, a
print(math.gcd(a, b), math.lcm(a, b).bit_length())
n = 7 ** 400_000
print(math.isqrt(n * n) == n)
print(math.gcd(n, 7 ** 399_999 * 2 ** 1000).bit_length())
print(divmod(n, 3 ** 500_000)[1] % 1000, (-n) // (n - 1), n % -(n - 1))
for bad in (-1, -n, 2.5, 'x'):
    try:
        math.isqrt(bad)
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
while True:
    n = math.isqrt(n * n * n) + n // 3
