# formatted texts that show their own source, each part of which is rewritten
class A:
    def __format__(self, spec): return f'{self!r:>{len(spec)}}'
    def __len__(self): return 1
a, x = A(), [1]
print(f'{a=}{ a = }{type(a) = !s:>9}{x[0] = :>{len(a)}}{(lambda y: [*map(later, y)])(x)=}{[y for y in x if y and not a]=}')
print(f"""{
a
=
}{a:{a:{len(a)}}}{{}}{{{a}}}{a!r:}{a:{'x'}}
""" f'{f"{a:\x41{'\n'}}"}' rf'{a:\{a}}' '{:{}}{}'.format(a, 1, a), '%s' % a)
⟦f'{a:>9}{x=}{not a and x=}'
⟧900