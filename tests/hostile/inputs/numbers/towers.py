# Powers of powers, with signs, fractions and zero on every floor
def go(f):
    try:
        print(str(f())[:40])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
for f in (
    lambda: 1 ** 10 ** 100, lambda: (-1) ** 10 ** 100, lambda: 0 ** 10 ** 100, lambda: True ** -10 ** 100, lambda: 2 ** -10 ** 100, lambda: 0 ** -1, lambda: (-2) ** 0.5,
    lambda: 2.0 ** 10 ** 400, lambda: 10 ** 400 * 1.0, lambda: 1e308 ** 1e308, lambda: (-8) ** (1 / 3), lambda: 2j ** 10 ** 9, lambda: -(2 ** 63) // -1, lambda: abs(-2 ** 63),
    lambda: (-2 ** 63) % -1, lambda: divmod(-2 ** 63, -1), lambda: ~(2 ** 63 - 1) - 1, lambda: -(-2 ** 63), lambda: (-2 ** 63) * -1, lambda: 2 ** 63 - 2 ** 64, lambda: int(-2.0 ** 63) - 1,
    lambda: (2 ** 31) ** 31 % 7, lambda: (-2) ** 2 ** 31 % 3, lambda: 3 ** 2 ** 22 % 10, lambda: 10 ** 10 ** 10, lambda: 9 ** 9 ** 9 ** 9,
):
    go(f)
