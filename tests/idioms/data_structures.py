# %% breadth first search and shortest path
from collections import deque

graph = {"A": ["B", "C"], "B": ["D"], "C": ["D", "E"], "D": ["F"], "E": ["F"], "F": [], "Z": ["A"]}

def bfs(start, goal):
    parents = {start: None}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        if node == goal:
            path = []
            while node is not None:
                path.append(node)
                node = parents[node]
            return path[::-1]
        for nxt in graph[node]:
            if nxt not in parents:
                parents[nxt] = node
                queue.append(nxt)
    return None

print(bfs("A", "F"), bfs("F", "A"), bfs("Z", "E"))
bfs("A", "A")

# %% depth first search, recursive and iterative
graph = {1: {2, 3}, 2: {4}, 3: {4, 5}, 4: {6}, 5: {6}, 6: set()}

def dfs(node, visited=None):
    visited = [] if visited is None else visited
    if node not in visited:
        visited.append(node)
        for n in sorted(graph[node]):
            dfs(n, visited)
    return visited

def dfs_iter(start):
    stack, seen, order = [start], set(), []
    while stack:
        n = stack.pop()
        if n in seen:
            continue
        seen.add(n)
        order.append(n)
        stack.extend(sorted(graph[n] - seen))
    return order

def all_paths(a, b, path=()):
    path += (a,)
    return [path] if a == b else [p for n in sorted(graph[a]) for p in all_paths(n, b, path)]

print(dfs(1), dfs_iter(1))
for p in all_paths(1, 6):
    print(" -> ".join(map(str, p)))
dfs(7)

# %% dijkstra with heapq
import heapq
from math import inf

roads = [("A", "B", 7), ("A", "C", 3), ("C", "B", 1), ("B", "D", 2), ("C", "D", 8), ("D", "E", 2.5), ("X", "Y", 1)]
graph: dict[str, dict[str, float]] = {}
for u, v, w in roads:
    graph.setdefault(u, {})[v] = w
    graph.setdefault(v, {})[u] = w

def dijkstra(source):
    dist = {n: inf for n in graph}
    prev = {}
    dist[source] = 0
    heap = [(0, source)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for v, w in graph[u].items():
            if (nd := d + w) < dist[v]:
                dist[v], prev[v] = nd, u
                heapq.heappush(heap, (nd, v))
    return dist, prev

dist, prev = dijkstra("A")
for node, d in sorted(dist.items(), key=lambda kv: (kv[1], kv[0])):
    print(f"{node}: {'unreachable' if d == inf else d} via {prev.get(node, '-')}")

# %% topological sort with cycle detection
from collections import defaultdict, deque

def topo(deps):
    indegree = defaultdict(int)
    users = defaultdict(list)
    for task, needs in deps.items():
        indegree[task] += 0
        for n in needs:
            users[n].append(task)
            indegree[task] += 1
            indegree[n] += 0
    ready = deque(sorted(t for t, k in indegree.items() if k == 0))
    order = []
    while ready:
        t = ready.popleft()
        order.append(t)
        for u in sorted(users[t]):
            indegree[u] -= 1
            if indegree[u] == 0:
                ready.append(u)
    if len(order) < len(indegree):
        raise ValueError("cycle among " + ", ".join(sorted(set(indegree) - set(order))))
    return order

print(topo({"app": ["lib", "log"], "lib": ["core"], "log": ["core"], "test": ["app"]}))
print(topo({}))
topo({"a": ["b"], "b": ["c"], "c": ["a"], "d": []})

# %% union find with path compression
class DSU:
    def __init__(self, n):
        self.parent = list(range(n))
        self.size = [1] * n
        self.groups = n

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        self.groups -= 1
        return True

edges = sorted([(4, 0, 1), (1, 1, 2), (3, 0, 2), (2, 3, 4), (9, 2, 3), (8, 4, 5), (5, 3, 5)])
d = DSU(6)
tree = [(w, a, b) for w, a, b in edges if d.union(a, b)]
print("spanning tree:", tree, "weight", sum(w for w, *_ in tree))
print(d.groups, [d.find(i) == d.find(0) for i in range(6)], max(d.size))

# %% binary search variants
from bisect import bisect_left, bisect_right

def search(xs, target):
    lo, hi = 0, len(xs) - 1
    steps = 0
    while lo <= hi:
        steps += 1
        mid = (lo + hi) // 2
        if xs[mid] == target:
            return mid, steps
        if xs[mid] < target:
            lo = mid + 1
        else:
            hi = mid - 1
    return -lo - 1, steps

xs = list(range(0, 200, 7))
for t in (0, 49, 50, 196, 999, -5):
    print(t, search(xs, t), bisect_left(xs, t))
dup = [1, 2, 2, 2, 3]
print(bisect_right(dup, 2) - bisect_left(dup, 2))

def isqrt(n):
    lo, hi = 0, n + 1
    while hi - lo > 1:
        mid = (lo + hi) // 2
        lo, hi = (mid, hi) if mid * mid <= n else (lo, mid)
    return lo
[isqrt(n) for n in (0, 1, 15, 16, 10 ** 20)]

# %% five sorting algorithms agree
def bubble(a):
    a = a[:]
    for end in range(len(a) - 1, 0, -1):
        for i in range(end):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]
    return a

def insertion(a):
    out = []
    for x in a:
        i = len(out)
        while i and out[i - 1] > x:
            i -= 1
        out.insert(i, x)
    return out

def quick(a):
    if len(a) < 2:
        return a
    p, *rest = a
    return quick([x for x in rest if x < p]) + [p] + quick([x for x in rest if x >= p])

def merge(a):
    if len(a) < 2:
        return a
    l, r, out = merge(a[:len(a) // 2]), merge(a[len(a) // 2:]), []
    while l and r:
        out.append(l.pop(0) if l[0] <= r[0] else r.pop(0))
    return out + l + r

data = [5, -2, 9, 0, 5, 3, 8, 1]
for f in (bubble, insertion, quick, merge):
    print(f"{f.__name__:<10}", f(data), f(data) == sorted(data), f([]), f(list("cab")))
try:
    quick([3, "a"])
except TypeError as e:
    print(type(e).__name__, e)

# %% heap sort and counting sort by hand
def heapify(a, n, i):
    while (child := 2 * i + 1) < n:
        if child + 1 < n and a[child + 1] > a[child]:
            child += 1
        if a[i] >= a[child]:
            return
        a[i], a[child] = a[child], a[i]
        i = child

def heap_sort(a):
    for i in reversed(range(len(a) // 2)):
        heapify(a, len(a), i)
    for end in range(len(a) - 1, 0, -1):
        a[0], a[end] = a[end], a[0]
        heapify(a, end, 0)
    return a

def counting_sort(a):
    lo, counts = min(a), [0] * (max(a) - min(a) + 1)
    for x in a:
        counts[x - lo] += 1
    return [i + lo for i, n in enumerate(counts) for _ in range(n)]

def radix(words):
    width = max(map(len, words))
    for pos in reversed(range(width)):
        words = sorted(words, key=lambda w: w[pos] if pos < len(w) else "")
    return words

print(heap_sort([4, 1, 7, 7, 0, -3]), counting_sort([3, -1, 3, 0]), radix(["bca", "ab", "b", "abc"]))
counting_sort([5]), heap_sort([]), heap_sort([2, 1])

# %% zero one knapsack with reconstruction
def knapsack(items, capacity):
    table = [[0] * (capacity + 1) for _ in range(len(items) + 1)]
    for i, (_, w, v) in enumerate(items, 1):
        for c in range(capacity + 1):
            table[i][c] = table[i - 1][c]
            if w <= c:
                table[i][c] = max(table[i][c], table[i - 1][c - w] + v)
    chosen, c = [], capacity
    for i in range(len(items), 0, -1):
        if table[i][c] != table[i - 1][c]:
            name, w, _ = items[i - 1]
            chosen.append(name)
            c -= w
    return table[-1][-1], chosen[::-1]

pack = [("lamp", 3, 40), ("tea", 1, 15), ("desk", 9, 90), ("rug", 4, 50), ("map", 2, 30)]
for cap in (0, 3, 7, 10, 19):
    print(cap, *knapsack(pack, cap))

def coins(total, kinds):
    best = [0] + [None] * total
    for t in range(1, total + 1):
        options = [best[t - k] + 1 for k in kinds if k <= t and best[t - k] is not None]
        best[t] = min(options, default=None)
    return best[total]
coins(11, (1, 5, 6)), coins(3, (2,)), coins(0, ())

# %% longest common subsequence and increasing subsequence
from bisect import bisect_left
from functools import cache

def lcs(a, b):
    @cache
    def go(i, j):
        if i == len(a) or j == len(b):
            return ""
        if a[i] == b[j]:
            return a[i] + go(i + 1, j + 1)
        return max(go(i + 1, j), go(i, j + 1), key=len)
    return go(0, 0)

def lis(xs):
    tails = []
    for x in xs:
        i = bisect_left(tails, x)
        tails[i:i + 1] = [x]
    return len(tails)

def longest_common_prefix(words):
    prefix = []
    for chars in zip(*words):
        if len(set(chars)) > 1:
            break
        prefix.append(chars[0])
    return "".join(prefix)

print(lcs("lighthouse", "lifehouse"), repr(lcs("abc", "xyz")), lis([10, 9, 2, 5, 3, 7, 101, 18]), lis([]))
longest_common_prefix(["interval", "internal", "internet"]), longest_common_prefix([])

# %% primes, sieve and factorisation
from math import gcd, isqrt, lcm, prod

def sieve(n):
    flags = bytearray([1]) * (n + 1)
    flags[:2] = b"\0\0"
    for p in range(2, isqrt(n) + 1):
        if flags[p]:
            flags[p * p::p] = bytes(len(range(p * p, n + 1, p)))
    return [i for i, f in enumerate(flags) if f]

def factor(n):
    out, p = {}, 2
    while p * p <= n:
        while n % p == 0:
            out[p] = out.get(p, 0) + 1
            n //= p
        p += 1 + (p > 2)
    if n > 1:
        out[n] = out.get(n, 0) + 1
    return out

def my_gcd(a, b):
    return a if b == 0 else my_gcd(b, a % b)

print(sieve(50), len(sieve(1000)))
for n in (1, 97, 360, 1001, 2 ** 20 - 1):
    f = factor(n)
    print(n, "=", " * ".join(f"{p}^{k}" if k > 1 else str(p) for p, k in f.items()) or "1", prod(k + 1 for k in f.values()))
my_gcd(84, 36), gcd(84, 36, 8), lcm(4, 6, 10), gcd()

# %% permutations, subsets and combinations by recursion
def perms(xs):
    if not xs:
        yield []
        return
    for i, x in enumerate(xs):
        for rest in perms(xs[:i] + xs[i + 1:]):
            yield [x] + rest

def subsets(xs):
    return [[]] if not xs else [s + t for s in subsets(xs[1:]) for t in ([], [xs[0]])]

def combos(n, k, start=1):
    if k == 0:
        return [()]
    return [(i,) + c for i in range(start, n - k + 2) for c in combos(n, k - 1, i + 1)]

import itertools
print(["".join(p) for p in perms("abc")], sum(1 for _ in perms("abcde")))
print(sorted(subsets([1, 2, 3]), key=lambda s: (len(s), s[::-1])))
print(combos(4, 2) == list(itertools.combinations(range(1, 5), 2)), combos(3, 3), combos(2, 3))

def partitions(n, top=None):
    top = top or n
    return [[]] if n == 0 else [[k] + p for k in range(min(n, top), 0, -1) for p in partitions(n - k, k)]
print(partitions(5))
next(perms([])), next(perms([7])), next(itertools.permutations([], 1), None)

# %% n queens by backtracking
def queens(n):
    solutions = []

    def place(row, cols, diag1, diag2, board):
        if row == n:
            solutions.append(tuple(board))
            return
        for c in range(n):
            if c in cols or row + c in diag1 or row - c in diag2:
                continue
            place(row + 1, cols | {c}, diag1 | {row + c}, diag2 | {row - c}, board + [c])

    place(0, frozenset(), frozenset(), frozenset(), [])
    return solutions

print({n: len(queens(n)) for n in range(1, 7)})
for c in queens(5)[0]:
    print(" ".join("Q" if i == c else "." for i in range(5)))
try:
    queens(3)[0]
except IndexError:
    print("no solution for 3")
queens(4)

# %% sudoku validity check
rows = """\
53..7....
6..195...
.98....6.
8...6...3
4..8.3..1
7...2...6
.6....28.
...419..5
....8..79""".split("\n")

def groups(g):
    for i in range(9):
        yield f"row {i}", g[i]
        yield f"col {i}", [r[i] for r in g]
        yield f"box {i}", [g[i // 3 * 3 + a][i % 3 * 3 + b] for a in range(3) for b in range(3)]

def problems(g):
    return [name for name, cells in groups(g) if len(ds := [c for c in cells if c != "."]) != len(set(ds))]

def candidates(g, r, c):
    used = set(g[r]) | {row[c] for row in g} | {x for row in g[r // 3 * 3:][:3] for x in row[c // 3 * 3:][:3]}
    return "".join(d for d in "123456789" if d not in used)

print(problems(rows), candidates(rows, 0, 2), candidates(rows, 4, 4))
broken = ["8" + rows[0][1:]] + rows[1:]
print(problems(broken))
sum(row.count(".") for row in rows)

# %% trie as nested dictionaries
END = "$"

def build(words):
    root = {}
    for w in words:
        node = root
        for ch in w:
            node = node.setdefault(ch, {})
        node[END] = True
    return root

def complete(root, prefix):
    node = root
    for ch in prefix:
        if ch not in node:
            return []
        node = node[ch]
    found = []

    def walk(n, path):
        if END in n:
            found.append(prefix + path)
        for ch in sorted(k for k in n if k != END):
            walk(n[ch], path + ch)

    walk(node, "")
    return found

trie = build(["tea", "ten", "team", "to", "in", "inn"])
print(complete(trie, "te"), complete(trie, "x"), complete(trie, "inn"), len(complete(trie, "")))
print(build(["to", "tea"]))
try:
    trie["t"]["o"]["p"]
except KeyError as e:
    print(type(e).__name__, e)

# %% doubly linked list with sentinel
class Node:
    __slots__ = ("value", "prev", "next")

    def __init__(self, value=None):
        self.value = value
        self.prev = self.next = self

class DList:
    def __init__(self, *values):
        self.head = Node()
        self.length = 0
        for v in values:
            self.append(v)

    def _insert(self, node, after):
        node.prev, node.next = after, after.next
        after.next.prev = node
        after.next = node
        self.length += 1
        return node

    def append(self, v): return self._insert(Node(v), self.head.prev)
    def prepend(self, v): return self._insert(Node(v), self.head)

    def remove(self, node):
        node.prev.next, node.next.prev = node.next, node.prev
        self.length -= 1

    def __iter__(self):
        n = self.head.next
        while n is not self.head:
            yield n.value
            n = n.next

dl = DList("b", "c")
first = dl.prepend("a")
last = dl.append("d")
dl.remove(dl.head.next.next)
print(list(dl), dl.length, first.next.value, last.prev.value, last.next.value)

# %% priority queue with stable order and cancellation
import heapq
from itertools import count

class PQ:
    def __init__(self):
        self.heap, self.live, self.tick = [], {}, count()

    def push(self, item, prio):
        if item in self.live:
            self.cancel(item)
        entry = [prio, next(self.tick), item]
        self.live[item] = entry
        heapq.heappush(self.heap, entry)

    def cancel(self, item):
        self.live.pop(item)[-1] = None

    def pop(self):
        while self.heap:
            prio, _, item = heapq.heappop(self.heap)
            if item is not None:
                del self.live[item]
                return prio, item
        raise IndexError("pop from an empty priority queue")

q = PQ()
for item, p in [("write", 3), ("test", 1), ("ship", 3), ("test", 5), ("nap", 0)]:
    q.push(item, p)
q.cancel("nap")
while q.live:
    print(q.pop())
for action in (lambda: q.cancel("nap"), q.pop):
    try:
        action()
    except LookupError as e:
        print(type(e).__name__, e)

# %% merging intervals and free slots
def merge(intervals):
    out = []
    for lo, hi in sorted(intervals):
        if lo > hi:
            raise ValueError(f"reversed interval ({lo}, {hi})")
        if out and lo <= out[-1][1]:
            out[-1] = (out[-1][0], max(hi, out[-1][1]))
        else:
            out.append((lo, hi))
    return out

def gaps(busy, start, end):
    for lo, hi in merge(busy):
        if lo > start:
            yield start, min(lo, end)
        start = max(start, hi)
    if start < end:
        yield start, end

fmt = lambda m: f"{m // 60:02d}:{m % 60:02d}"
busy = [(600, 660), (540, 570), (650, 720), (570, 580), (900, 930)]
print(merge(busy), merge([]))
for a, b in gaps(busy, 480, 1020):
    print(f"{fmt(a)}-{fmt(b)} ({b - a} min)")
points = sorted([(s, 1) for s, _ in busy] + [(e, -1) for _, e in busy])
level = peak = 0
for _, delta in points:
    level += delta
    peak = max(peak, level)
print("rooms needed:", peak)
try:
    merge([(1, 2), (5, 4)])
except ValueError as e:
    print(type(e).__name__, e)

# %% two sum, three sum and sliding windows
from collections import deque

def two_sum(nums, target):
    seen = {}
    for i, n in enumerate(nums):
        if target - n in seen:
            return seen[target - n], i
        seen[n] = i

def three_sum(nums):
    nums, found = sorted(nums), set()
    for i, a in enumerate(nums):
        lo, hi = i + 1, len(nums) - 1
        while lo < hi:
            s = a + nums[lo] + nums[hi]
            if s == 0:
                found.add((a, nums[lo], nums[hi]))
            lo, hi = (lo + 1, hi) if s <= 0 else (lo, hi - 1)
    return sorted(found)

def longest_unique(s):
    start = best = 0
    last = {}
    for i, c in enumerate(s):
        if last.get(c, -1) >= start:
            start = last[c] + 1
        last[c] = i
        best = max(best, i - start + 1)
    return best

def window_max(xs, k):
    q = deque()
    for i, x in enumerate(xs):
        while q and xs[q[-1]] <= x: q.pop()
        q.append(i)
        if q[0] <= i - k: q.popleft()
        if i >= k - 1: yield xs[q[0]]

print(two_sum([2, 7, 11, 15], 26), two_sum([1], 2), three_sum([-1, 0, 1, 2, -1, -4]), longest_unique("abcabcbb"))
list(window_max([1, 3, -1, -3, 5, 3, 6, 7], 3))

# %% roman numerals both ways
PAIRS = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
         (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]

def to_roman(n: int) -> str:
    if not 0 < n < 4000:
        raise ValueError(f"out of range: {n}")
    out = ""
    for value, sym in PAIRS:
        times, n = divmod(n, value)
        out += sym * times
    return out

def from_roman(s: str) -> int:
    vals = [dict((b, a) for a, b in PAIRS)[c] for c in s]
    return sum(-v if v < nxt else v for v, nxt in zip(vals, vals[1:] + [0]))

for n in (1, 4, 9, 44, 1871, 2019, 3999):
    r = to_roman(n)
    print(f"{n:>5} {r:<12} {from_roman(r) == n}")
assert all(from_roman(to_roman(i)) == i for i in range(1, 500))
try:
    from_roman("MCZ")
except KeyError as e:
    print("bad symbol", e)
to_roman(0)

# %% run length coding and base conversion
from itertools import groupby
import re
import string

def rle(s):
    return "".join(f"{n}{c}" if (n := len(list(g))) > 1 else c for c, g in groupby(s))

def unrle(s):
    return "".join(c * int(n or 1) for n, c in re.findall(r"(\d*)(\D)", s))

for s in ("wwwwbbbw", "abc", "", "zzzzzzzzzzzz"):
    print(repr(s), rle(s), unrle(rle(s)) == s)

DIGITS = string.digits + string.ascii_letters

def encode(n, base=62):
    sign, n = "-" * (n < 0), abs(n)
    out = []
    while True:
        n, r = divmod(n, base)
        out.append(DIGITS[r])
        if not n:
            return sign + "".join(reversed(out))

def decode(s, base=62):
    n = 0
    for c in s.lstrip("-"):
        n = n * base + DIGITS.index(c)
    return -n if s.startswith("-") else n

print(encode(0), encode(-255, 16), encode(10 ** 12), decode(encode(987654321)), [encode(i, 2) for i in range(5)])
try:
    decode("a_b")
except ValueError as e:
    print(type(e).__name__, e)

# %% bracket matching with positions
PAIRS = {")": "(", "]": "[", "}": "{"}

def check(text):
    stack = []
    for i, ch in enumerate(text):
        if ch in PAIRS.values():
            stack.append((ch, i))
        elif ch in PAIRS:
            if not stack:
                return f"unexpected {ch!r} at {i}"
            opener, where = stack.pop()
            if opener != PAIRS[ch]:
                return f"{opener!r} at {where} closed by {ch!r} at {i}"
    return f"unclosed {stack[-1][0]!r} at {stack[-1][1]}" if stack else "balanced"

for t in ("f(a[1], {x: (2)})", "(]", "((", "a)", "", "{[()]}{"):
    print(f"{t!r:<22}{check(t)}")

def generate(n, opened=0, closed=0, s=""):
    if len(s) == 2 * n:
        yield s
    if opened < n:
        yield from generate(n, opened + 1, closed, s + "(")
    if closed < opened:
        yield from generate(n, opened, closed + 1, s + ")")

list(generate(3)), [sum(1 for _ in generate(k)) for k in range(6)]

# %% tokenizer and recursive descent calculator
import re

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*)|(\*\*|[-+*/()]))")

def tokenize(src):
    pos, out = 0, []
    src = src.rstrip()
    while pos < len(src):
        m = TOKEN.match(src, pos)
        if not m:
            raise SyntaxError(f"bad input {src[pos:].strip()!r} at {pos}")
        out.append(float(m[1]) if m[1] else m[2])
        pos = m.end()
    return out + [None]

def parse(tokens):
    def atom():
        t = tokens.pop(0)
        if t == "-": return -atom()
        if t == "(":
            v = expr(0)
            if tokens.pop(0) != ")": raise SyntaxError("expected )")
            return v
        if not isinstance(t, float): raise SyntaxError(f"unexpected {t}")
        return t
    ops = {"+": (1, lambda a, b: a + b), "-": (1, lambda a, b: a - b), "*": (2, lambda a, b: a * b), "/": (2, lambda a, b: a / b), "**": (3, pow)}
    def expr(level):
        left = atom()
        while tokens[0] in ops and ops[tokens[0]][0] >= level:
            prec, fn = ops[op := tokens.pop(0)]
            left = fn(left, expr(prec + (op != "**")))
        return left
    return expr(0)

for s in ("1 + 2 * 3", "2 ** 3 ** 2", "(1 + 2) * -4 / 8", "10 - 4 - 3", "1 +", "2 $ 3", "(1", "1 / (2 - 2)"):
    try:
        print(s, "=", parse(tokenize(s)))
    except (SyntaxError, ZeroDivisionError) as e:
        print(s, "!", type(e).__name__, e)

# %% game of life on a set of cells
from collections import Counter

def step(cells):
    near = Counter((x + dx, y + dy) for x, y in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
    return {c for c, n in near.items() if n == 3 or n == 2 and c in cells}

def show(cells, size=5):
    return "\n".join("".join("#" if (x, y) in cells else "." for x in range(size)) for y in range(size))

def parse(text):
    return {(x, y) for y, line in enumerate(text.split()) for x, ch in enumerate(line) if ch == "#"}

glider = parse(".#... ..#.. ###.. ..... .....")
gen = glider
for i in range(5):
    if i % 2 == 0:
        print(f"generation {i}, {len(gen)} alive")
        print(show(gen))
    gen = step(gen)
blinker = parse("### ...")
print(step(step(blinker)) == blinker, sorted(step(blinker)), step(set()))
after4 = step(step(step(step(glider))))
after4 == {(x + 1, y + 1) for x, y in glider}

# %% pascal, collatz, bit counts and matrix fibonacci
from functools import reduce

def pascal(n):
    row = [1]
    for _ in range(n):
        yield row
        row = [a + b for a, b in zip([0] + row, row + [0])]

for r in pascal(6):
    print(" ".join(f"{v:^3}" for v in r).center(24).rstrip())

def collatz(n, memo={1: 1}):
    if n not in memo:
        memo[n] = 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)
    return memo[n]

best = max(range(1, 300), key=collatz)
print(best, collatz(best), [collatz(i) for i in range(1, 8)])

mul = lambda a, b: [[sum(x * y for x, y in zip(r, c)) for c in zip(*b)] for r in a]
def fib(n):
    bits = bin(n)[2:]
    m = reduce(lambda acc, bit: mul(mul(acc, acc), [[1, 1], [1, 0]]) if bit == "1" else mul(acc, acc), bits, [[1, 0], [0, 1]])
    return m[0][1]

print([fib(i) for i in range(10)], fib(150))
def popcounts(n):
    dp = [0] * (n + 1)
    for i in range(1, n + 1):
        dp[i] = dp[i >> 1] + (i & 1)
    return dp
popcounts(12), popcounts(-5)
