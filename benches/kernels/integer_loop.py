total = 0
for i in range(200_000):
    total += i % 7
total
