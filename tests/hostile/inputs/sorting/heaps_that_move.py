# Heaps, merges and bisections over lists that change, never end, or lie about their length
import heapq, bisect, itertools
heap = []
class Moves:
    def __init__(self, n):
        self.n = n
    def __lt__(self, other):
        if self.n % 3 == 0 and heap:
            heap.pop()
        elif self.n % 3 == 1 and len(heap) < 999:
            heap.append(Moves(self.n + 1))
        else:
            heap.clear()
        return True
class Lies:
    def __len__(self):
        return 2 ** 62
    def __getitem__(self, i):
        return self
    def __lt__(self, other):
        return True
    def insert(self, i, x):
        return self
def go(f):
    try:
        print(str(f())[:60])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
for turn in range(300):
    heap[:] = [Moves(i * turn) for i in range(20)]
    for f in (lambda: heapq.heapify(heap), lambda: heapq.heappush(heap, Moves(turn)), lambda: heapq.heappop(heap), lambda: heapq.heapreplace(heap, Moves(1)), lambda: heapq.heappushpop(heap, Moves(2))):
        try:
            f()
        except Exception as e:
            kind = type(e).__name__
go(lambda: bisect.insort(Lies(), 1))
go(lambda: bisect.bisect([1, 2], 1, -2 ** 63, 2 ** 63))
go(lambda: bisect.bisect_left(range(2 ** 62), 2 ** 61, key=lambda x: -x))
go(lambda: heapq.nlargest(10 ** 18, [3, 1, 2]))
go(lambda: heapq.nsmallest(-10 ** 18, 'abc', key=lambda x: heap))
go(lambda: next(heapq.merge(*[range(1000)] * 500)))
go(lambda: next(heapq.merge(itertools.count(), itertools.count())))
