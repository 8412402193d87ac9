# RUN: exec %
# Sets keep an order of their own, and it is the same each time.
words = {f'word{n % 97}' for n in range(1000)}
print(list(words)[:8])
numbers = {n * 7919 % 1009 for n in range(500)}
print(list(numbers)[:8], len(words | {str(n) for n in numbers}))
sum(hash(word) % 1000 for word in words)
