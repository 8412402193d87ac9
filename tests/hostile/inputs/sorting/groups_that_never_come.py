# Groups of equal things whose keys never repeat, raise, or go through the same iterator
from itertools import groupby, count, chain, repeat
def go(f):
    try:
        print(str(f())[:60])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
class Never:
    def __eq__(self, other):
        groups.append(next(it, None))
        return len(groups) % 3 == 0
it = groupby(range(3000), lambda x: Never())
groups = []
go(lambda: len([(k, list(g)) for k, g in it]))
go(lambda: [list(g) for k, g in list(groupby('aabbcc'))])
go(lambda: [next(g) for k, g in groupby(range(9000), key=lambda x: [x] * 100)][-1])
go(lambda: len(list(groupby([float('nan')] * 9000))))
nested = groupby([1])
for i in range(300):
    nested = groupby(nested, lambda x: x)
go(lambda: list(nested))
go(lambda: [k for k, g in groupby(chain([1], repeat(2, 10 ** 6)))])
go(lambda: next(groupby(count(), lambda x: 1))[1])
[list(g) for k, g in groupby(count(), lambda x: x // 10 ** 9)]
