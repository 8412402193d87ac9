# Prints into objects that print into each other, and log what they print
import sys, logging
class Pipe:
    def __init__(self):
        self.other = sys.stderr
    def write(self, text):
        print(text * 2, file=self.other)
        logging.error(text)
    def flush(self):
        self.write('x')
one, two = Pipe(), Pipe()
one.other, two.other = two, one
logging.basicConfig(stream=one)
try:
    print('x', file=one, flush=True)
except RecursionError:
    pass
one.other = sys.stderr
while True:
    print('y' * 100000, file=one, end='z' * 100000)
