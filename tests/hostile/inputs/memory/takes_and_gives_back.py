# Takes nearly all there is and gives it back, again and again, in kinds of different size
kinds = (
    lambda: 'a' * 60_000_000, lambda: bytes(60_000_000), lambda: [None] * 3_500_000, lambda: list(range(2_000_000)), lambda: {i: i for i in range(500_000)},
    lambda: {str(i) for i in range(400_000)}, lambda: tuple([()] * 3_000_000), lambda: [[] for i in range(500_000)], lambda: [{} for i in range(200_000)],
    lambda: 1 << 400_000_000, lambda: [lambda: i for i in range(200_000)], lambda: ('a' * 30_000_000).split('b'), lambda: list('ab' * 1_000_000),
)
while True:
    for kind in kinds:
        try:
            x = kind()
        except Exception:
            pass
        x = None
