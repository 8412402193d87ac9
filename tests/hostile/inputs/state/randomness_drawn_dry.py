# Draws, seeds and restores randomness with everything that is no seed
import random, secrets, uuid, time
for seed in (0, -1, 2 ** 5000, 1.5, float('nan'), 'x' * 10 ** 6, b'x', None, (), True):
    try:
        random.seed(seed)
        print(random.random(), random.getrandbits(10 ** 6) > 0, secrets.token_hex(4), uuid.uuid4())
    except Exception as error:
        print(str(error)[:60])
for way in (lambda: random.setstate(random.getstate()), lambda: random.setstate((3, (1,) * 10 ** 6, None)), lambda: random.randint(1, 10 ** 10000), lambda: random.sample(range(10 ** 18), 10 ** 6), lambda: random.choices([1], [0]),
            lambda: random.choices([], k=10 ** 9), lambda: random.shuffle(random), lambda: random.gauss(float('inf'), -1), lambda: random.randbytes(10 ** 9), lambda: secrets.token_bytes(10 ** 10), lambda: random.randrange(0, 1, 0), lambda: random.Random(5).random()):
    try:
        print(f'{way()!r}'[:60])
    except Exception as error:
        print(str(error)[:60])
while True:
    random.getrandbits(60000000)
