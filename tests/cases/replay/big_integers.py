# RUN: exec %
# Integers of any size.
a = 3 ** 500
b = a // 7 ** 100
print(a % 10 ** 20, len(str(b)), pow(3, 10 ** 20, 10 ** 9 + 7))
str(a - b)[:40]
