# Asks for sizes whose product is small again once it has gone round 32 bits
def go(f):
    try:
        x = f()
        print(len(x), x[:3], x[-1:])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
big = 'a' * 65536
for f in (
    lambda: 'x' * (2 ** 32 + 1), lambda: (1,) * (2 ** 32), lambda: '\t'.expandtabs(2 ** 32 + 3), lambda: bytes(2 ** 32), lambda: bytes(2 ** 64),
    lambda: 'q' * 2 ** 63, lambda: [0] * -2 ** 63, lambda: b'ab' * -2 ** 31, lambda: range(2 ** 64)[2 ** 32:], lambda: [[]] * (2 ** 60), lambda: 'a'[-2 ** 32:2 ** 32],
    lambda: 'é' * (2 ** 32 + 1), lambda: [1][2 ** 32:], lambda: (1, 2)[::2 ** 32 + 1], lambda: [1, 2, 3].pop(2 ** 32), lambda: 'abc'.find('c', -2 ** 32, 2 ** 33),
    lambda: [1, 2].insert(2 ** 32 + 1, 3), lambda: [1, 2].index(2, 2 ** 32), lambda: 'a'.replace('a', 'b', 2 ** 32), lambda: 'a b'.split(' ', 2 ** 32), lambda: (0).to_bytes(2 ** 32),
    lambda: bytearray(2 ** 32 + 2), lambda: big.replace('', big[1:]),
):
    go(f)
