# Whole numbers that all leave the same for a hash, as keys, and keys that are equal over all kinds
p = 2 ** 61 - 1
q = 2 ** 32
print(hash(p), hash(2 * p), hash(-p), hash(float(2 ** 200)) == hash(2 ** 200), hash(1e308), hash(-1), hash(-2), hash(2 ** 64), hash(True))
same = {1: 'a', 1.0: 'b', True: 'c', 1 + 0j: 'd', float('nan'): 'e', float('nan'): 'f', 0.0: 'g', -0.0: 'h', 2 ** 53: 1, float(2 ** 53): 2}
print(len(same), 10 ** 22 in {1e22: 1}, 2 ** 200 in {2.0 ** 200: 1})
d = {}
for i in range(200_000):
    d[i * p] = d[i * q] = d[i << 64] = d[float(i << 60)] = i
len(d)
