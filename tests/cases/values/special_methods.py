# RUN: exec %
#
# Length, truth and order of instances, wherever something asks for them, also in functions that
# stand before the class.
import functools, heapq
from dataclasses import dataclass

def shown(x):
    words = ['if' if x else 'else', bool(x), not x, x and 1, x or 2]
    words.append([1 for _ in range(1) if x])
    words.append(any([x]))
    words.append(all([x]))
    words.append(len(list(filter(None, [x]))))
    return words[:3] + [w if type(w) in (bool, int, list) else 'itself' for w in words[3:]]

def smaller(a, b):
    return a < b, a > b, a <= b, a >= b

class Bag:
    def __init__(self, n):
        self.n = n
    def __len__(self):
        return self.n

class Flag:
    def __init__(self, on):
        self.on = on
    def __bool__(self):
        return self.on
    def __len__(self):
        raise ValueError('never asked')

print(shown(Bag(0)), shown(Bag(3)), len(Bag(7)))
print(shown(Flag(False)), shown(Flag(True)))

def tried(f):
    try:
        return f()
    except Exception as e:
        return f'{type(e).__name__}: {e}'

class Odd:
    def __init__(self, answer):
        self.answer = answer
    def __len__(self):
        return self.answer

class Strange:
    def __bool__(self):
        return 1

print(tried(lambda: len(Odd(-1))), '|', tried(lambda: bool(Odd(-1))), '|', tried(lambda: len(Odd('2'))), '|', len(Odd(True)))
print(tried(lambda: bool(Strange())), '|', tried(lambda: len(object)))

class Version:
    def __init__(self, *parts):
        self.parts = parts
    def __lt__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self.parts < other.parts
    def __eq__(self, other):
        return isinstance(other, Version) and self.parts == other.parts
    def __hash__(self):
        return hash(self.parts)
    def __repr__(self):
        return 'v' + '.'.join([str(p) for p in self.parts])

a, b, c = Version(1, 2), Version(1, 10), Version(1, 2)
print(a < b, a > b, b > a, tried(lambda: a <= b), tried(lambda: a < 3), tried(lambda: 3 > a))
print(sorted([b, a, c]), sorted([b, a, c], reverse=True), min(b, a), max([a, b, c]), sorted([3, 1, 2], key=lambda n: Version(n, -n)))
print(sorted([(1, b), (1, a), (0, b)]), (1, a) < (1, b), (1, a) < (1, c), (1, a, 2) > (1, c, 1), [a] == [c], max((2, a), (2, b)))
xs = [b, c, a]
xs.sort()
print(xs, xs[0] is c, a in xs, xs.index(b), xs.count(a))
heap = [b, a]
heapq.heapify(heap)
heapq.heappush(heap, Version(0, 1))
print(heapq.heappop(heap), heapq.nsmallest(1, heap))

class Cell:
    def __init__(self, name):
        self.name = name
    def __lt__(self, other):
        return f'{self.name}<{other}'
    def __ge__(self, other):
        return [self.name, '>=', other]
    def __ne__(self, other):
        return ('ne', other)
    def __gt__(self, other):
        return ''

x = Cell('x')
print(x < 5, x >= 5, 5 <= x, x != 5, 5 != x, x == x, x > 1, 1 < x < 2, 'yes' if x < 5 else 'no', 'yes' if x > 5 else 'no')
assert x != 5

class Only:
    def __eq__(self, other):
        return other == 1

print(Only() != 1, Only() != 2, 2 != Only(), [Only()] == [1], 1 in [Only()])

class Down:
    def __init__(self, n):
        self.n = n
    def __gt__(self, other):
        return self.n < other.n

print([d.n for d in sorted([Down(1), Down(3), Down(2)])], max(Down(1), Down(2)).n, min(Down(1), Down(2)).n)

@functools.total_ordering
class Grade:
    def __init__(self, n):
        self.n = n
    def __eq__(self, other):
        return self.n == other.n
    def __lt__(self, other):
        return self.n < other.n

print(smaller(Grade(1), Grade(2)), smaller(Grade(2), Grade(2)))

@dataclass(order=True)
class Point:
    x: int
    y: int = 0

print(sorted([Point(2, 1), Point(1, 5), Point(1, 2)]), Point(1, 2) <= Point(1, 2), Point(1) > Point(0, 9), tried(lambda: Point(1) < 1))
print(sorted('bca', key=functools.cmp_to_key(lambda p, q: (p > q) - (p < q))))

class Liar:
    asked = 0
    def __lt__(self, other):
        Liar.asked += 1
        return Liar.asked % 3 != 0

print(len(sorted([Liar() for _ in range(200)])), Liar.asked > 500)

class Fails:
    def __lt__(self, other):
        raise KeyError('no order')

print(tried(lambda: sorted([Fails(), Fails()])), tried(lambda: min([Fails(), Fails()])), tried(lambda: Fails() < 1))

class Stack:
    def __init__(self, *items):
        self.items = list(items)
    def __len__(self):
        return len(self.items)
    def pop(self):
        return self.items.pop()

stack = Stack(1, 2, 3)
out = []
while stack:
    out.append(stack.pop())
print(out, bool(stack), len(stack) == 0, None if stack else 'empty')
