# Shows itself as everything but text, one after the other
class Odd:
    def __init__(self, what): self.what = what
    def __repr__(self): return self.what
    __str__ = __repr__
    def __format__(self, spec): return self.what
odd = [None, 5, b'x', [], Odd, lambda: 'x', '\x00' * 10, ...]
odd.append(Odd('x'))
for what in odd:
    try:
        print(f'{Odd(what)!r}', [Odd(what)], f'{Odd(what)}')
    except Exception as error:
        print(str(error)[:60])
{Odd('a'): [Odd(Odd)]}
