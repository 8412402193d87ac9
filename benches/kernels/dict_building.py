counts = {}
for i in range(60_000):
    key = i % 1_000
    counts[key] = counts.get(key, 0) + i
len(counts)
