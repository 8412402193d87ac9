# Powers with a modulus of a million bits, and inverses by hand of giants
m = (1 << 1_000_003) - 159
print(pow(3, 10 ** 30, 10 ** 50 + 7))
for args in ((2, -1, 4), (0, -1, 1), (3, -2 ** 64, 2 ** 127 - 1), (5, 3, -2 ** 63), (5, -3, -7), (2, 0, 0), (2, 3, 1), (-2 ** 63, 2 ** 63, -2 ** 63)):
    try:
        print(pow(*args))
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
a, b = 1, 1
for i in range(20_000):
    a, b = a + b, a
print(pow(a, -1, b) % 1000)
pow(3, m - 1, m)
