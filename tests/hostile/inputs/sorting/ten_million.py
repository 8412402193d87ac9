# Sorts millions of small numbers, backwards, with keys, and again while it is still sorted
xs = list(range(2_000_000, 0, -1))
xs.sort()
xs.sort(reverse=True)
print(xs[0], min(xs), max(xs), sum(xs))
ys = sorted(xs, key=lambda x: -x)
zs = sorted([x * 2654435761 % 2 ** 32 for x in range(1_000_000)], key=str)
sorted(range(10_000_000), key=[].append)
