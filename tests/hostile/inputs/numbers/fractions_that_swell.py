# Fractions read from long texts, with giant powers, hashed, rounded and summed
from fractions import Fraction
def go(f):
    try:
        print(str(f())[:40])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
go(lambda: Fraction('1' * 9_000_000 + 'x'))
go(lambda: Fraction('_1' * 9))
go(lambda: Fraction(' ' * 900_000 + '1/0'))
go(lambda: Fraction('1e-100000') == Fraction(1, 10 ** 100_000))
go(lambda: hash(Fraction('1e-50000')))
go(lambda: round(Fraction(1, 3), 100_000))
go(lambda: Fraction(2, 3) ** 50_000)
go(lambda: Fraction(2, 3) ** -50_000 > 1)
go(lambda: float(Fraction(10 ** 5000, 10 ** 4999)))
go(lambda: Fraction(1.7e308) + Fraction(5e-324))
go(lambda: Fraction(3 ** 9000, 2 ** 9000).limit_denominator(10 ** 2000))
go(lambda: f'{Fraction(1, 7):.1000000f}')
go(lambda: Fraction('1e999999999'))
sum([Fraction(1, n) for n in range(1, 10 ** 6)])
