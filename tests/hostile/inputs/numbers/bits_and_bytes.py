# Bases and bytes of giants, with lengths that do not fit anywhere
n = (1 << 60_000_000) - 1
def go(f):
    try:
        print(str(f())[:40])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
go(lambda: n.bit_length() + n.bit_count())
go(lambda: len(bin(1 << 8_000_000)))
go(lambda: len(oct(n)))
go(lambda: len(f'{-n:#_x}'))
go(lambda: (-n).to_bytes(10, 'big', signed=True))
go(lambda: (1).to_bytes(-2 ** 63, 'big'))
go(lambda: (1).to_bytes(0, 'little'))
go(lambda: int.from_bytes(b'\xff' * 9_000_000, 'little', signed=True).bit_length())
go(lambda: int.from_bytes(range(256)).bit_length())
go(lambda: len(n.to_bytes(8_000_000, 'big')))
go(lambda: n.as_integer_ratio()[1])
go(lambda: (n & -n, n ^ ~n, (n | -n) + 1))
go(lambda: hash(n) - hash(-n))
go(lambda: n.to_bytes(2 ** 32 - 1, 'little'))
