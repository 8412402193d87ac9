i = total = 0
while i < 100_000:
    total = (total * 31 + i) % 65_521
    i += 1
total
