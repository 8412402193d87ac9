# Squares, divides and powers a number that is as long as the memory allows
x = 3
while x.bit_length() < 30_000_000:
    x *= x
y = x // 7 * x
z = y // x
y, z, x = z, y, -x
