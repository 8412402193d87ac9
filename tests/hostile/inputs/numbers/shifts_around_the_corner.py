# Shifts by amounts that are zero, or small, or negative in 32 or 64 bits
def go(f):
    try:
        print(str(f())[:40])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
x = 10 ** 300
for n in (2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 63, 2 ** 64, 2 ** 64 + 1, 2 ** 200):
    go(lambda: 1 >> n)
    go(lambda: -1 >> n)
    go(lambda: -x >> n)
    go(lambda: 0 << n)
    go(lambda: 1 >> -n)
    go(lambda: x << -n)
    go(lambda: False << n)
go(lambda: (1 << 100_000_000) >> 99_999_999)
y = 1
y <<= 300_000_000
y >>= 2 ** 32 + 1
print(y)
for n in (2 ** 64 + 1, 2 ** 32 + 1, 2 ** 31, 2 ** 29):
    go(lambda: -1 << n)
