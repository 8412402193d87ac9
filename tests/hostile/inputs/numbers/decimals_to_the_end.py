# Decimals with exponents and precision at the ends of what there is
from decimal import Decimal, getcontext
def go(f):
    try:
        print(str(f())[:40])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
big, tiny = Decimal('1e99999'), Decimal('1e-99999')
for f in (
    lambda: big + tiny, lambda: big * big, lambda: tiny * tiny, lambda: big / tiny, lambda: big ** 2, lambda: Decimal(2) ** Decimal('0.5'), lambda: big // 3, lambda: big % 7,
    lambda: Decimal('1e999999999999999999'), lambda: Decimal('1e-999999999999999999'), lambda: Decimal('9' * 1_000_000), lambda: Decimal(10 ** 5000), lambda: Decimal(5e-324),
    lambda: hash(big), lambda: big == 10 ** 99_999, lambda: int(big).bit_length(), lambda: float(big), lambda: len(f'{big:f}'), lambda: len(f'{tiny:.2000000f}'), lambda: f'{big:,.3e}',
    lambda: big.sqrt(), lambda: big.quantize(tiny), lambda: round(big, 2), lambda: round(big, -10 ** 9), lambda: tiny.as_tuple(), lambda: len(tiny.as_integer_ratio()), lambda: Decimal('sNaN') < 1,
    lambda: setattr(getcontext(), 'prec', 10 ** 18), lambda: setattr(getcontext(), 'prec', 300_000), lambda: Decimal(1) / 3, lambda: Decimal(2).ln(), lambda: Decimal(1000).exp(),
    lambda: Decimal('1e1000000000'), lambda: int(Decimal('1e1000000000')), lambda: hash(Decimal('1e999999999')), lambda: Decimal('1e1000000000') + 1,
):
    go(f)
