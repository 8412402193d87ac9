# Printing calls itself through the text of what is printed
class Loud:
    def __str__(self):
        print(self, self, sep=f'{[self]}')
        return 'loud'
    def __repr__(self):
        print(f'{self!s}', [self])
        return 'loud'
try:
    print(Loud())
except RecursionError:
    print([Loud()] * 1000)
Loud()
