# Is something that can be taken from for ever, or counted to beyond all numbers
import itertools
class Endless:
    def __iter__(self): return self
    def __next__(self): return self
    def __len__(self): return 10 ** 100
    def __getitem__(self, i): return self
    def keys(self): return self
result = [range(-10 ** 18, 10 ** 18), Endless(), itertools.cycle([1]), itertools.count(), itertools.repeat(Endless()), zip(itertools.count())]
x, *y = result
try:
    dict(Endless()), {**Endless()}, [*Endless()]
except TypeError:
    pass
for each in map(Endless, iter(Endless, 1)):
    result.append(each)
