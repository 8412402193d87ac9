x = 1
numbers = []
for i in range(30_000):
    x = (x * 1103515245 + 12345) % 2147483648
    numbers.append(x)
sorted(numbers)[0] + len(sorted(numbers, key=lambda n: -n))
