# Crosses the wall for each letter, by changing between the two channels
import sys
out, err = sys.stdout, sys.stderr
for _ in range(5000000):
    print('a', end='', file=out)
    print('b', end='', file=err)
