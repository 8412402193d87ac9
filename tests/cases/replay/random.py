# RUN: exec %
# Everything random follows from the seed.
import random
xs = list(range(40))
random.shuffle(xs)
print(xs[:10], random.sample(range(10 ** 6), 5), random.choice('abcdef'))
[random.gauss(0, 1), random.getrandbits(70), random.uniform(1, 2)]
