# Writes letter by letter through a bound method, and flushes each
import sys
write, flush = sys.stdout.write, sys.stdout.flush
for _ in range(10000000):
    write('\n')
    flush()
    sys.stderr.writelines(['\n'] * 10)
