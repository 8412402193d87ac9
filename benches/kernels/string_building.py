parts = []
for i in range(30_000):
    parts.append(f'item {i}: ' + str(i * 3).upper())
len(','.join(parts))
