# Random numbers from ranges of a million bits, with odd seeds, weights and counts
import random, secrets, uuid
def go(f):
    try:
        print(str(f())[:40])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
for f in (
    lambda: random.seed(10 ** 100_000), lambda: random.seed('x' * 1_000_000), lambda: random.seed(float('nan')), lambda: random.seed([]), lambda: random.getrandbits(5_000_000).bit_length(),
    lambda: random.randrange(1 << 3_000_000).bit_length(), lambda: random.randint(-10 ** 4000, 10 ** 4000) % 7, lambda: random.randrange(0, 10 ** 400, -1), lambda: random.getrandbits(-1),
    lambda: random.sample(range(10 ** 30), 3), lambda: random.sample(range(2 ** 63), 2 ** 40), lambda: random.choices([1, 2], [float('nan'), 1]), lambda: random.choices([1], [0]),
    lambda: random.choices([1, 2], [-1, 1e308]), lambda: random.choice(range(10 ** 30)), lambda: random.shuffle(range(9)), lambda: random.gauss(1e308, 1e308), lambda: random.betavariate(1e-300, 1e-300),
    lambda: random.expovariate(0), lambda: random.vonmisesvariate(0, 1e308), lambda: random.gammavariate(5e-324, 1), lambda: random.triangular(1e308, -1e308), lambda: random.paretovariate(5e-324),
    lambda: random.binomialvariate(10 ** 9, 0.5), lambda: random.setstate((3, (1,) * 625, None)), lambda: secrets.randbelow(10 ** 9000) % 7, lambda: len(secrets.token_hex(1_000_000)),
    lambda: uuid.UUID(int=2 ** 128), lambda: uuid.uuid5(uuid.NAMESPACE_DNS, 'x' * 5_000_000), lambda: len(random.randbytes(5_000_000)), lambda: random.getrandbits(2 ** 34),
):
    go(f)
