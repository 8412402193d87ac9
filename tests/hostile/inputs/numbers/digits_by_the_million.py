# Whole numbers to text and back, with millions of digits and in every base
import sys
try:
    sys.set_int_max_str_digits(0)
except Exception as e:
    print(type(e).__name__, str(e)[:60])
def go(f):
    try:
        print(len(str(f())))
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
n = 3 ** 700_000
go(lambda: hex(n))
go(lambda: int('f' * 2_000_000, 16))
go(lambda: int('1' * 2_000_000, 2))
go(lambda: int('z' * 300_000, 36))
go(lambda: int('9' * 4300))
go(lambda: int('9' * 4301))
go(lambda: int('1_' * 300_000 + '1'))
go(lambda: int(b'7' * 300_000))
go(lambda: int(' ' * 9_000_000 + '-5'))
go(lambda: int('٣' * 300_000))
go(lambda: f'{n:,}')
go(lambda: f'{n:_x}')
go(lambda: '%d' % n)
go(lambda: f'{n:e}')
go(lambda: repr([n]))
go(lambda: float(str(n)))
n
