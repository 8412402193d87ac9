# RUN: exec %
# Floats are the same to the last bit.
import math
total = 0.0
for n in range(1, 2000):
    total += math.sin(n) / n ** 0.5
print(total, total.hex() if hasattr(total, 'hex') else '', 0.1 + 0.2, 1e308 * 10, -float('inf'))
[math.nan != math.nan, round(2.675, 2), 7.0 // -2, -7 % 3.5, float('1e-320')]
