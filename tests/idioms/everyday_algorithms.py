# %% binary search with bounds
def binary_search(arr, target):
    left, right = 0, len(arr) - 1
    while left <= right:
        mid = (left + right) // 2
        if arr[mid] == target:
            return mid
        elif arr[mid] < target:
            left = mid + 1
        else:
            right = mid - 1
    return -1

def lower_bound(arr, target):
    lo, hi = 0, len(arr)
    while lo < hi:
        mid = lo + (hi - lo) // 2
        if arr[mid] < target:
            lo = mid + 1
        else:
            hi = mid
    return lo

numbers = [1, 3, 5, 7, 9, 11, 13]
for t in (1, 7, 13, 4):
    idx = binary_search(numbers, t)
    print(f"Target {t:>2}: {'found at index ' + str(idx) if idx != -1 else 'not found'}")
print(lower_bound(numbers, 6), lower_bound(numbers, 100), lower_bound([], 1))

# %% sorting algorithms compared
from typing import List, Callable

def bubble_sort(items: List[int]) -> List[int]:
    arr = items[:]
    n = len(arr)
    for i in range(n):
        swapped = False
        for j in range(0, n - i - 1):
            if arr[j] > arr[j + 1]:
                arr[j], arr[j + 1] = arr[j + 1], arr[j]
                swapped = True
        if not swapped:
            break
    return arr

def quick_sort(items: List[int]) -> List[int]:
    if len(items) <= 1:
        return items
    pivot = items[len(items) // 2]
    left = [x for x in items if x < pivot]
    middle = [x for x in items if x == pivot]
    right = [x for x in items if x > pivot]
    return quick_sort(left) + middle + quick_sort(right)

def merge_sort(items: List[int]) -> List[int]:
    if len(items) <= 1:
        return items
    mid = len(items) // 2
    left, right = merge_sort(items[:mid]), merge_sort(items[mid:])
    merged, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    merged.extend(left[i:])
    merged.extend(right[j:])
    return merged

data = [64, 34, 25, 12, 22, 11, 90, 12]
algorithms: List[Callable[[List[int]], List[int]]] = [bubble_sort, quick_sort, merge_sort]
for algo in algorithms:
    result = algo(data)
    print(f"{algo.__name__:<12} -> {result}")
    assert result == sorted(data), f"{algo.__name__} failed"
print("original:", data)

# %% insertion, selection and heap sort in place
def insertion_sort(a):
    for i in range(1, len(a)):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key

def selection_sort(a):
    for i in range(len(a)):
        m = min(range(i, len(a)), key=a.__getitem__)
        a[i], a[m] = a[m], a[i]

def heapify(a, n, i):
    largest = i
    l, r = 2 * i + 1, 2 * i + 2
    if l < n and a[l] > a[largest]:
        largest = l
    if r < n and a[r] > a[largest]:
        largest = r
    if largest != i:
        a[i], a[largest] = a[largest], a[i]
        heapify(a, n, largest)

def heap_sort(a):
    n = len(a)
    for i in range(n // 2 - 1, -1, -1):
        heapify(a, n, i)
    for i in range(n - 1, 0, -1):
        a[0], a[i] = a[i], a[0]
        heapify(a, i, 0)

for sorter in [insertion_sort, selection_sort, heap_sort]:
    xs = [5, 2, 9, 1, 5, 6, -3]
    sorter(xs)
    print(sorter.__name__, xs)

# %% dijkstra with heapq
import heapq
from collections import defaultdict

def dijkstra(graph, start):
    distances = {node: float('inf') for node in graph}
    distances[start] = 0
    previous = {node: None for node in graph}
    pq = [(0, start)]
    while pq:
        dist, node = heapq.heappop(pq)
        if dist > distances[node]:
            continue
        for neighbor, weight in graph[node].items():
            new_dist = dist + weight
            if new_dist < distances[neighbor]:
                distances[neighbor] = new_dist
                previous[neighbor] = node
                heapq.heappush(pq, (new_dist, neighbor))
    return distances, previous

def path_to(previous, target):
    path = []
    while target is not None:
        path.append(target)
        target = previous[target]
    return path[::-1]

graph = {
    'A': {'B': 4, 'C': 2},
    'B': {'C': 5, 'D': 10},
    'C': {'E': 3},
    'D': {'F': 11},
    'E': {'D': 4},
    'F': {},
    'G': {'A': 1},
}
distances, previous = dijkstra(graph, 'A')
for node, d in sorted(distances.items()):
    print(f"{node}: {d!s:>4}  {' -> '.join(path_to(previous, node))}")

# %% bfs and dfs on an adjacency list
from collections import deque, defaultdict

edges = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (5, 6)]
adj = defaultdict(list)
for u, v in edges:
    adj[u].append(v)
    adj[v].append(u)

def bfs(start):
    seen, order = {start}, []
    q = deque([(start, 0)])
    while q:
        node, depth = q.popleft()
        order.append((node, depth))
        for nxt in adj[node]:
            if nxt not in seen:
                seen.add(nxt)
                q.append((nxt, depth + 1))
    return order

def dfs(node, visited=None):
    if visited is None:
        visited = []
    visited.append(node)
    for nxt in adj[node]:
        if nxt not in visited:
            dfs(nxt, visited)
    return visited

def components():
    remaining = set(adj)
    out = []
    while remaining:
        start = min(remaining)
        comp = {n for n, _ in bfs(start)}
        out.append(sorted(comp))
        remaining -= comp
    return out

print(bfs(0))
print(dfs(0))
print(components())
print(dict(adj))

# %% topological sort with kahn
from collections import deque

def topo_sort(tasks: dict[str, list[str]]) -> list[str]:
    indegree = {t: 0 for t in tasks}
    for deps in tasks.values():
        for d in deps:
            indegree.setdefault(d, 0)
    dependents = {t: [] for t in indegree}
    for t, deps in tasks.items():
        indegree[t] += len(deps)
        for d in deps:
            dependents[d].append(t)
    ready = deque(sorted(t for t, n in indegree.items() if n == 0))
    order = []
    while ready:
        t = ready.popleft()
        order.append(t)
        for nxt in dependents[t]:
            indegree[nxt] -= 1
            if not indegree[nxt]:
                ready.append(nxt)
    if len(order) != len(indegree):
        raise ValueError("Cycle detected: " + ", ".join(sorted(set(indegree) - set(order))))
    return order

print(topo_sort({"deploy": ["test", "build"], "test": ["build"], "build": ["fetch"], "docs": ["fetch"]}))
try:
    topo_sort({"a": ["b"], "b": ["c"], "c": ["a"], "d": []})
except ValueError as e:
    print("Error:", e)

# %% knapsack with table and reconstruction
def knapsack(items, capacity):
    n = len(items)
    dp = [[0] * (capacity + 1) for _ in range(n + 1)]
    for i, (name, weight, value) in enumerate(items, start=1):
        for w in range(capacity + 1):
            dp[i][w] = dp[i - 1][w]
            if weight <= w:
                dp[i][w] = max(dp[i][w], dp[i - 1][w - weight] + value)
    chosen, w = [], capacity
    for i in range(n, 0, -1):
        if dp[i][w] != dp[i - 1][w]:
            chosen.append(items[i - 1][0])
            w -= items[i - 1][1]
    return dp[n][capacity], chosen[::-1]

items = [("laptop", 3, 2000), ("guitar", 1, 1500), ("stereo", 4, 3000), ("phone", 1, 2000)]
for capacity in range(1, 6):
    best, chosen = knapsack(items, capacity)
    print(f"Capacity {capacity}: ${best:,} with {chosen}")

# %% longest common subsequence and edit distance
from functools import lru_cache

def lcs(a: str, b: str) -> str:
    m, n = len(a), len(b)
    dp = [[""] * (n + 1) for _ in range(m + 1)]
    for i in range(m):
        for j in range(n):
            if a[i] == b[j]:
                dp[i + 1][j + 1] = dp[i][j] + a[i]
            else:
                dp[i + 1][j + 1] = max(dp[i][j + 1], dp[i + 1][j], key=len)
    return dp[m][n]

def edit_distance(s, t):
    @lru_cache(maxsize=None)
    def go(i, j):
        if i == 0:
            return j
        if j == 0:
            return i
        cost = 0 if s[i - 1] == t[j - 1] else 1
        return min(go(i - 1, j) + 1, go(i, j - 1) + 1, go(i - 1, j - 1) + cost)
    result = go(len(s), len(t))
    print(go.cache_info())
    return result

print(lcs("AGGTAB", "GXTXAYB"), lcs("abc", "def") or "(none)")
for pair in [("kitten", "sitting"), ("flaw", "lawn"), ("", "abc")]:
    print(pair, edit_distance(*pair))

# %% coin change and partitions
def coin_change(coins, amount):
    INF = float("inf")
    dp = [0] + [INF] * amount
    parent = [None] * (amount + 1)
    for a in range(1, amount + 1):
        for c in coins:
            if c <= a and dp[a - c] + 1 < dp[a]:
                dp[a] = dp[a - c] + 1
                parent[a] = c
    if dp[amount] == INF:
        return -1, []
    used = []
    while amount:
        used.append(parent[amount])
        amount -= parent[amount]
    return len(used), used

def count_ways(coins, amount):
    ways = [1] + [0] * amount
    for c in coins:
        for a in range(c, amount + 1):
            ways[a] += ways[a - c]
    return ways[amount]

def partitions(n, largest=None):
    largest = largest or n
    if n == 0:
        yield []
        return
    for k in range(min(n, largest), 0, -1):
        for rest in partitions(n - k, k):
            yield [k] + rest

print(coin_change([1, 5, 10, 25], 63))
print(coin_change([5, 10], 3))
print(count_ways([1, 2, 5], 11), count_ways([1, 5, 10, 25, 50], 100))
for p in partitions(5):
    print(" + ".join(map(str, p)))

# %% n queens with backtracking generator
def solve_queens(n):
    def place(row, cols, diag1, diag2, board):
        if row == n:
            yield list(board)
            return
        for col in range(n):
            if col in cols or row - col in diag1 or row + col in diag2:
                continue
            board.append(col)
            yield from place(row + 1, cols | {col}, diag1 | {row - col}, diag2 | {row + col}, board)
            board.pop()
    yield from place(0, set(), set(), set(), [])

def show(board):
    for c in board:
        print(" ".join("Q" if i == c else "." for i in range(len(board))))
    print()

solutions = list(solve_queens(6))
print(f"{len(solutions)} solutions for 6 queens")
for s in solutions[:2]:
    show(s)
print({n: sum(1 for _ in solve_queens(n)) for n in range(1, 7)})

# %% sudoku solver
puzzle = """
53..7....
6..195...
.98....6.
8...6...3
4..8.3..1
7...2...6
.6....28.
...419..5
....8..79
"""

def parse(text):
    return [[0 if ch == '.' else int(ch) for ch in line] for line in text.strip().splitlines()]

def candidates(grid, r, c):
    used = set(grid[r]) | {grid[i][c] for i in range(9)}
    br, bc = 3 * (r // 3), 3 * (c // 3)
    used |= {grid[i][j] for i in range(br, br + 3) for j in range(bc, bc + 3)}
    return [d for d in range(1, 10) if d not in used]

def solve(grid):
    best = None
    for r in range(9):
        for c in range(9):
            if grid[r][c] == 0:
                opts = candidates(grid, r, c)
                if best is None or len(opts) < len(best[2]):
                    best = (r, c, opts)
    if best is None:
        return True
    r, c, opts = best
    for d in opts:
        grid[r][c] = d
        if solve(grid):
            return True
    grid[r][c] = 0
    return False

grid = parse(puzzle)
print("solved:", solve(grid))
for i, row in enumerate(grid):
    if i % 3 == 0 and i:
        print("------+-------+------")
    print(" | ".join(" ".join(map(str, row[j:j + 3])) for j in (0, 3, 6)))

# %% sieve, factors and primes
import math

def sieve(limit):
    is_prime = [True] * (limit + 1)
    is_prime[0:2] = [False, False]
    for i in range(2, int(limit ** 0.5) + 1):
        if is_prime[i]:
            is_prime[i * i::i] = [False] * len(is_prime[i * i::i])
    return [i for i, p in enumerate(is_prime) if p]

def prime_factors(n):
    factors = {}
    d = 2
    while d * d <= n:
        while n % d == 0:
            factors[d] = factors.get(d, 0) + 1
            n //= d
        d += 1
    if n > 1:
        factors[n] = factors.get(n, 0) + 1
    return factors

def pretty(f):
    return " × ".join(f"{p}^{e}" if e > 1 else f"{p}" for p, e in f.items())

print(sieve(50))
for n in (360, 97, 1001, 2**10 * 3**5):
    print(f"{n:>7} = {pretty(prime_factors(n))}")
print(math.gcd(48, 36), math.lcm(4, 6, 10), math.isqrt(99), math.comb(10, 3), math.perm(5, 2))
print([n for n in range(1, 500) if sum(d for d in range(1, n) if n % d == 0) == n])

# %% matrix operations by hand
def shape(m):
    return len(m), len(m[0])

def matmul(a, b):
    if len(a[0]) != len(b):
        raise ValueError(f"Shape mismatch: {shape(a)} x {shape(b)}")
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]

def transpose(m):
    return [list(r) for r in zip(*m)]

def det(m):
    if len(m) == 1:
        return m[0][0]
    return sum((-1) ** j * m[0][j] * det([row[:j] + row[j + 1:] for row in m[1:]]) for j in range(len(m)))

def identity(n):
    return [[int(i == j) for j in range(n)] for i in range(n)]

def power(m, k):
    result = identity(len(m))
    while k:
        if k & 1:
            result = matmul(result, m)
        m = matmul(m, m)
        k >>= 1
    return result

def show(m, title=""):
    print(title)
    width = max(len(str(x)) for row in m for x in row)
    for row in m:
        print("[" + " ".join(f"{x:>{width}}" for x in row) + "]")

A = [[1, 2, 3], [4, 5, 6]]
B = [[7, 8], [9, 10], [11, 12]]
show(matmul(A, B), "A x B")
show(transpose(A), "A^T")
print("det:", det([[2, 0, 1], [1, 3, 2], [1, 1, 4]]))
print("fib(50) =", power([[1, 1], [1, 0]], 50)[0][1])
try:
    matmul(A, A)
except ValueError as err:
    print(f"ValueError: {err}")

# %% gaussian elimination with fractions
from fractions import Fraction

def solve(a, b):
    n = len(a)
    m = [[Fraction(x) for x in row] + [Fraction(y)] for row, y in zip(a, b)]
    for col in range(n):
        pivot = next((r for r in range(col, n) if m[r][col] != 0), None)
        if pivot is None:
            raise ValueError("singular matrix")
        m[col], m[pivot] = m[pivot], m[col]
        p = m[col][col]
        m[col] = [x / p for x in m[col]]
        for r in range(n):
            if r != col and m[r][col]:
                factor = m[r][col]
                m[r] = [x - factor * y for x, y in zip(m[r], m[col])]
    return [row[-1] for row in m]

xs = solve([[2, 1, -1], [-3, -1, 2], [-2, 1, 2]], [8, -11, -3])
print([str(x) for x in xs])
ys = solve([[1, 2], [3, 5]], [1, Fraction(1, 3)])
for name, value in zip("xy", ys):
    print(f"{name} = {value} ≈ {float(value):.4f}")
try:
    solve([[1, 2], [2, 4]], [1, 2])
except ValueError as e:
    print("error:", e)

# %% game of life
def step(cells):
    counts = {}
    for x, y in cells:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx or dy:
                    key = (x + dx, y + dy)
                    counts[key] = counts.get(key, 0) + 1
    return {c for c, n in counts.items() if n == 3 or (n == 2 and c in cells)}

def render(cells, width, height):
    return "\n".join("".join("#" if (x, y) in cells else "." for x in range(width)) for y in range(height))

glider = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
state = glider
for generation in range(4):
    print(f"Generation {generation}:")
    print(render(state, 6, 5), end="\n\n")
    state = step(state)
print(len(state), sorted(state))

# %% maze solver with a star
import heapq

maze = [
    "S.#.....",
    "..#.###.",
    ".##.#...",
    "....#.#.",
    ".####.#E",
]

def find(ch):
    for r, row in enumerate(maze):
        if ch in row:
            return r, row.index(ch)

def neighbors(pos):
    r, c = pos
    for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        nr, nc = r + dr, c + dc
        if 0 <= nr < len(maze) and 0 <= nc < len(maze[0]) and maze[nr][nc] != '#':
            yield nr, nc

def a_star(start, goal):
    h = lambda p: abs(p[0] - goal[0]) + abs(p[1] - goal[1])
    open_heap = [(h(start), 0, start, [start])]
    best = {}
    while open_heap:
        f, g, pos, path = heapq.heappop(open_heap)
        if pos == goal:
            return path
        if pos in best and best[pos] <= g:
            continue
        best[pos] = g
        for nxt in neighbors(pos):
            heapq.heappush(open_heap, (g + 1 + h(nxt), g + 1, nxt, path + [nxt]))
    return None

path = a_star(find('S'), find('E'))
print("length", len(path) - 1)
canvas = [list(row) for row in maze]
for r, c in path[1:-1]:
    canvas[r][c] = '*'
print(*("".join(row) for row in canvas), sep="\n")

# %% union find and kruskal
class UnionFind:
    def __init__(self, n):
        self.parent = list(range(n))
        self.rank = [0] * n
        self.count = n

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        ra, rb = self.find(a), self.find(b)
        if ra == rb:
            return False
        if self.rank[ra] < self.rank[rb]:
            ra, rb = rb, ra
        self.parent[rb] = ra
        if self.rank[ra] == self.rank[rb]:
            self.rank[ra] += 1
        self.count -= 1
        return True

def kruskal(n, edges):
    uf = UnionFind(n)
    mst, total = [], 0
    for w, u, v in sorted(edges):
        if uf.union(u, v):
            mst.append((u, v, w))
            total += w
        if uf.count == 1:
            break
    return mst, total

edges = [(7, 0, 1), (5, 0, 3), (8, 1, 2), (9, 1, 3), (7, 1, 4), (5, 2, 4), (15, 3, 4), (6, 3, 5), (8, 4, 5), (9, 4, 6), (11, 5, 6)]
mst, total = kruskal(7, edges)
for u, v, w in mst:
    print(f"{u} -- {v} == {w}")
print("Total weight:", total)

# %% bit manipulation tricks
def count_bits(n):
    count = 0
    while n:
        n &= n - 1
        count += 1
    return count

def is_power_of_two(n):
    return n > 0 and n & (n - 1) == 0

def reverse_bits(n, width=8):
    return int(f"{n:0{width}b}"[::-1], 2)

def subsets(items):
    for mask in range(1 << len(items)):
        yield [items[i] for i in range(len(items)) if mask >> i & 1]

def gray(n):
    return [i ^ (i >> 1) for i in range(2 ** n)]

for n in (0, 1, 5, 64, 255, 1023):
    print(f"{n:>5} {n:>12b} {n:>#6x} {n:#o} bits={count_bits(n)} {n.bit_length()} pow2={is_power_of_two(n)}")
print([format(g, "03b") for g in gray(3)])
print(list(subsets("abc")))
print(reverse_bits(0b00010110), bin(reverse_bits(1)), ~5, -7 >> 1, -7 & 0xFF, 5 ^ 3, 1 << 70)
a, b = 12, 25
a ^= b; b ^= a; a ^= b
print(a, b, bin(10).count("1"), (37).bit_count(), int("ff", 16), int("0b101", 0), hex(-255), oct(8))
from functools import reduce
from operator import xor
print(reduce(xor, [4, 1, 2, 1, 2]))

# %% permutations and combinations by recursion
def permutations(items):
    if len(items) <= 1:
        yield list(items)
        return
    for i, item in enumerate(items):
        for rest in permutations(items[:i] + items[i + 1:]):
            yield [item] + rest

def combinations(items, k):
    if k == 0:
        return [[]]
    if not items:
        return []
    head, *tail = items
    return [[head] + c for c in combinations(tail, k - 1)] + combinations(tail, k)

def power_set(s):
    if not s:
        return [set()]
    x = s[0]
    rest = power_set(s[1:])
    return rest + [r | {x} for r in rest]

print(["".join(p) for p in permutations("abc")])
print(combinations([1, 2, 3, 4], 2))
print(sorted(map(sorted, power_set([1, 2, 3]))))
print(sum(1 for _ in permutations(range(4))) if False else len(list(permutations([0, 1, 2, 3]))))

# %% tower of hanoi and recursion
import sys
sys.setrecursionlimit(2000)

def hanoi(n, source="A", target="C", spare="B", moves=None):
    if moves is None:
        moves = []
    if n == 1:
        moves.append((source, target))
    else:
        hanoi(n - 1, source, spare, target, moves)
        moves.append((source, target))
        hanoi(n - 1, spare, target, source, moves)
    return moves

def flatten(x):
    return [y for item in x for y in (flatten(item) if isinstance(item, (list, tuple)) else [item])]

def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))

def collatz(n):
    seq = [n]
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        seq.append(n)
    return seq

for i, (a, b) in enumerate(hanoi(3), 1):
    print(f"Move {i}: {a} -> {b}")
print(len(hanoi(8)))
print(flatten([1, [2, [3, (4, 5)], []], 6]))
print(ackermann(2, 3))
print(collatz(27)[:10], len(collatz(27)), max(collatz(27)))

# %% sliding window and two pointers
from collections import Counter, deque

def longest_unique(s):
    seen, start, best = {}, 0, ""
    for i, ch in enumerate(s):
        if ch in seen and seen[ch] >= start:
            start = seen[ch] + 1
        seen[ch] = i
        if i - start + 1 > len(best):
            best = s[start:i + 1]
    return best

def max_sliding_window(nums, k):
    dq, out = deque(), []
    for i, n in enumerate(nums):
        while dq and nums[dq[-1]] < n:
            dq.pop()
        dq.append(i)
        if dq[0] <= i - k:
            dq.popleft()
        if i >= k - 1:
            out.append(nums[dq[0]])
    return out

def min_window(s, t):
    need, missing = Counter(t), len(t)
    i = I = J = 0
    for j, c in enumerate(s, 1):
        missing -= need[c] > 0
        need[c] -= 1
        if not missing:
            while i < j and need[s[i]] < 0:
                need[s[i]] += 1
                i += 1
            if not J or j - i <= J - I:
                I, J = i, j
    return s[I:J]

def three_sum(nums):
    nums.sort()
    res = []
    for i in range(len(nums) - 2):
        if i and nums[i] == nums[i - 1]:
            continue
        l, r = i + 1, len(nums) - 1
        while l < r:
            total = nums[i] + nums[l] + nums[r]
            if total < 0: l += 1
            elif total > 0: r -= 1
            else:
                res.append((nums[i], nums[l], nums[r]))
                while l < r and nums[l] == nums[l + 1]: l += 1
                l += 1; r -= 1
    return res

print(longest_unique("abcabcbb"), longest_unique("pwwkew"))
print(max_sliding_window([1, 3, -1, -3, 5, 3, 6, 7], 3))
print(min_window("ADOBECODEBANC", "ABC"))
print(three_sum([-1, 0, 1, 2, -1, -4]))

# %% kadane, prefix sums and intervals
from itertools import accumulate

def max_subarray(nums):
    best = cur = nums[0]
    start = s = end = 0
    for i, n in enumerate(nums[1:], 1):
        if cur + n < n:
            cur, s = n, i
        else:
            cur += n
        if cur > best:
            best, start, end = cur, s, i
    return best, nums[start:end + 1]

def merge_intervals(intervals):
    merged = []
    for lo, hi in sorted(intervals):
        if merged and lo <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], hi)
        else:
            merged.append([lo, hi])
    return merged

def subarray_sums(nums, k):
    seen = {0: 1}
    total = count = 0
    for n in nums:
        total += n
        count += seen.get(total - k, 0)
        seen[total] = seen.get(total, 0) + 1
    return count

print(max_subarray([-2, 1, -3, 4, -1, 2, 1, -5, 4]))
print(merge_intervals([(1, 3), (8, 10), (2, 6), (15, 18), (17, 20)]))
print(subarray_sums([1, 1, 1, 2, -1], 2))
prefix = [0, *accumulate([3, 1, 4, 1, 5])]
print(prefix, prefix[4] - prefix[1], list(accumulate([3, 1, 4], max)), list(accumulate([1, 2, 3], lambda a, b: a * b, initial=10)))

# %% floyd warshall and bellman ford
INF = float('inf')

def floyd_warshall(weights, n):
    dist = [[INF] * n for _ in range(n)]
    for i in range(n):
        dist[i][i] = 0
    for (u, v), w in weights.items():
        dist[u][v] = w
    for k in range(n):
        for i in range(n):
            for j in range(n):
                dist[i][j] = min(dist[i][j], dist[i][k] + dist[k][j])
    return dist

def bellman_ford(edges, n, src):
    dist = [INF] * n
    dist[src] = 0
    for _ in range(n - 1):
        for u, v, w in edges:
            if dist[u] != INF and dist[u] + w < dist[v]:
                dist[v] = dist[u] + w
    for u, v, w in edges:
        if dist[u] + w < dist[v]:
            return None
    return dist

weights = {(0, 1): 3, (0, 2): 8, (1, 3): 1, (2, 1): 4, (3, 0): 2, (3, 2): -5}
d = floyd_warshall(weights, 4)
print("    " + "".join(f"{j:>5}" for j in range(4)))
for i, row in enumerate(d):
    print(f"{i:>3} " + "".join(f"{'∞' if x == INF else x:>5}" for x in row))
print(bellman_ford([(u, v, w) for (u, v), w in weights.items()], 4, 0))
print(bellman_ford([(0, 1, 1), (1, 2, -1), (2, 0, -1)], 3, 0))

# %% huffman coding
import heapq
from collections import Counter
from itertools import count

def build_codes(text):
    tie = count()
    heap = [(freq, next(tie), ch) for ch, freq in sorted(Counter(text).items())]
    heapq.heapify(heap)
    if len(heap) == 1:
        return {heap[0][2]: "0"}
    while len(heap) > 1:
        f1, _, left = heapq.heappop(heap)
        f2, _, right = heapq.heappop(heap)
        heapq.heappush(heap, (f1 + f2, next(tie), (left, right)))
    codes = {}
    def walk(node, prefix):
        if isinstance(node, str):
            codes[node] = prefix
        else:
            left, right = node
            walk(left, prefix + "0")
            walk(right, prefix + "1")
    walk(heap[0][2], "")
    return codes

def decode(bits, codes):
    inverse = {v: k for k, v in codes.items()}
    out, buf = [], ""
    for b in bits:
        buf += b
        if buf in inverse:
            out.append(inverse[buf])
            buf = ""
    return "".join(out)

text = "abracadabra alakazam"
codes = build_codes(text)
for ch, code in sorted(codes.items(), key=lambda kv: (len(kv[1]), kv[1])):
    print(f"{ch!r}: {code}")
encoded = "".join(codes[c] for c in text)
print(len(text) * 8, "->", len(encoded), f"({len(encoded) / (len(text) * 8):.1%})")
assert decode(encoded, codes) == text

# %% linear congruential simulation of dice and monte carlo pi
class LCG:
    """A tiny deterministic random generator."""
    def __init__(self, seed=42):
        self.state = seed

    def next(self):
        self.state = (1664525 * self.state + 1013904223) % 2**32
        return self.state

    def random(self):
        return self.next() / 2**32

    def randint(self, a, b):
        return a + int(self.random() * (b - a + 1))

rng = LCG(seed=2024)
rolls = [rng.randint(1, 6) + rng.randint(1, 6) for _ in range(1000)]
hist = {total: rolls.count(total) for total in range(2, 13)}
for total, n in hist.items():
    print(f"{total:2d} | {'█' * (n // 10):<20} {n / len(rolls):6.2%}")
inside = sum(1 for _ in range(2000) if rng.random() ** 2 + rng.random() ** 2 <= 1)
print(f"pi ≈ {4 * inside / 2000:.3f}")

# %% roman numerals both ways
ROMAN = [(1000, 'M'), (900, 'CM'), (500, 'D'), (400, 'CD'), (100, 'C'), (90, 'XC'),
         (50, 'L'), (40, 'XL'), (10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')]

def to_roman(n: int) -> str:
    if not 0 < n < 4000:
        raise ValueError(f"{n} out of range")
    result = []
    for value, symbol in ROMAN:
        q, n = divmod(n, value)
        result.append(symbol * q)
    return "".join(result)

def from_roman(s: str) -> int:
    values = {sym: val for val, sym in ROMAN if len(sym) == 1}
    total = 0
    for a, b in zip(s, s[1:] + " "):
        v = values[a]
        total += -v if values.get(b, 0) > v else v
    return total

for n in (1, 4, 9, 14, 40, 90, 400, 1994, 2024, 3999):
    r = to_roman(n)
    print(f"{n:>4} -> {r:<10} -> {from_roman(r)}")
assert all(from_roman(to_roman(i)) == i for i in range(1, 500))
try:
    to_roman(4000)
except ValueError as exc:
    print("ValueError:", exc)

# %% newton, bisection and numerical integration
import math

def newton(f, df, x0, tol=1e-10, max_iter=50):
    x = x0
    for i in range(max_iter):
        fx = f(x)
        if abs(fx) < tol:
            return x, i
        x -= fx / df(x)
    raise RuntimeError("did not converge")

def bisect(f, lo, hi, tol=1e-9):
    assert f(lo) * f(hi) < 0
    while hi - lo > tol:
        mid = (lo + hi) / 2
        if f(lo) * f(mid) <= 0:
            hi = mid
        else:
            lo = mid
    return (lo + hi) / 2

def simpson(f, a, b, n=100):
    h = (b - a) / n
    s = f(a) + f(b)
    s += 4 * sum(f(a + i * h) for i in range(1, n, 2))
    s += 2 * sum(f(a + i * h) for i in range(2, n, 2))
    return s * h / 3

root, its = newton(lambda x: x**2 - 2, lambda x: 2 * x, 1.0)
print(f"sqrt(2) ~ {root:.10f} after {its} iterations")
print(f"{bisect(lambda x: x**3 - x - 2, 1, 2):.6f}")
print(f"{simpson(math.sin, 0, math.pi):.8f}", f"{simpson(lambda x: math.exp(-x * x), 0, 1):.6e}")
print(math.isclose(root, math.sqrt(2)), math.hypot(3, 4), math.degrees(math.pi), round(math.e, 3), math.floor(-2.5), math.ceil(2.1), math.trunc(-2.7))

# %% number spirals and matrix rotation
def spiral(n, m):
    grid = [[0] * m for _ in range(n)]
    r = c = 0
    dr, dc = 0, 1
    for k in range(1, n * m + 1):
        grid[r][c] = k
        if not (0 <= r + dr < n and 0 <= c + dc < m and grid[r + dr][c + dc] == 0):
            dr, dc = dc, -dr
        r, c = r + dr, c + dc
    return grid

def rotate(m):
    return [list(row) for row in zip(*m[::-1])]

def spiral_read(m):
    out = []
    while m:
        out += m.pop(0)
        m = [list(r) for r in zip(*m)][::-1]
    return out

g = spiral(3, 4)
for row in g:
    print(' '.join(f'{x:3d}' for x in row))
print(rotate([[1, 2], [3, 4]]))
print(spiral_read(spiral(4, 4)) == list(range(1, 17)))
pascal = [[1]]
for _ in range(5):
    last = pascal[-1]
    pascal.append([1] + [a + b for a, b in zip(last, last[1:])] + [1])
for row in pascal:
    print(" ".join(map(str, row)).center(20).rstrip())
magic = [[2, 7, 6], [9, 5, 1], [4, 3, 8]]
sums = {sum(r) for r in magic} | {sum(c) for c in zip(*magic)} | {sum(magic[i][i] for i in range(3)), sum(magic[i][2 - i] for i in range(3))}
print("magic" if len(sums) == 1 else "not magic", sums)

# %% climbing stairs, fibonacci and memo decorators
import functools

def memoize(func):
    cache = {}
    @functools.wraps(func)
    def wrapper(*args):
        if args not in cache:
            cache[args] = func(*args)
        return cache[args]
    wrapper.cache = cache
    return wrapper

@memoize
def fib(n):
    """Return the n-th Fibonacci number."""
    return n if n < 2 else fib(n - 1) + fib(n - 2)

@functools.cache
def paths(r, c):
    if r == 0 or c == 0:
        return 1
    return paths(r - 1, c) + paths(r, c - 1)

@functools.lru_cache(maxsize=128)
def climb(n, steps=(1, 2, 3)):
    if n == 0:
        return 1
    return sum(climb(n - s, steps) for s in steps if s <= n)

print(fib(80), len(fib.cache), fib.__name__, fib.__doc__)
print(paths(10, 10), paths.cache_info().currsize)
print([climb(i) for i in range(8)])
print(climb.cache_info())
climb.cache_clear()
print(climb.cache_info())

# %% string matching kmp and rabin karp
def prefix_function(p):
    pi = [0] * len(p)
    k = 0
    for i in range(1, len(p)):
        while k > 0 and p[k] != p[i]:
            k = pi[k - 1]
        if p[k] == p[i]:
            k += 1
        pi[i] = k
    return pi

def kmp(text, pattern):
    pi, k, hits = prefix_function(pattern), 0, []
    for i, ch in enumerate(text):
        while k and pattern[k] != ch:
            k = pi[k - 1]
        if pattern[k] == ch:
            k += 1
        if k == len(pattern):
            hits.append(i - k + 1)
            k = pi[k - 1]
    return hits

def rabin_karp(text, pattern, base=256, mod=10**9 + 7):
    n, m = len(text), len(pattern)
    high = pow(base, m - 1, mod)
    hp = ht = 0
    for i in range(m):
        hp = (hp * base + ord(pattern[i])) % mod
        ht = (ht * base + ord(text[i])) % mod
    out = []
    for i in range(n - m + 1):
        if hp == ht and text[i:i + m] == pattern:
            out.append(i)
        if i < n - m:
            ht = ((ht - ord(text[i]) * high) * base + ord(text[i + m])) % mod
    return out

text = "ababcabcabababd"
print(prefix_function("ababd"), kmp(text, "ababd"), kmp("aaaaa", "aa"))
print(rabin_karp(text, "abc"))

# %% word ladder and islands
from collections import deque
import string

def ladder(begin, end, words):
    words = set(words)
    queue = deque([[begin]])
    while queue:
        path = queue.popleft()
        word = path[-1]
        if word == end:
            return path
        for i in range(len(word)):
            for ch in string.ascii_lowercase:
                cand = word[:i] + ch + word[i + 1:]
                if cand in words:
                    words.discard(cand)
                    queue.append(path + [cand])
    return None

def count_islands(grid):
    rows, cols = len(grid), len(grid[0])
    seen = set()
    def sink(r, c):
        if (r, c) in seen or not (0 <= r < rows and 0 <= c < cols) or grid[r][c] != "1":
            return 0
        seen.add((r, c))
        return 1 + sum(sink(r + dr, c + dc) for dr, dc in [(1, 0), (-1, 0), (0, 1), (0, -1)])
    sizes = []
    for r in range(rows):
        for c in range(cols):
            if size := sink(r, c):
                sizes.append(size)
    return sizes

print(" -> ".join(ladder("hit", "cog", ["hot", "dot", "dog", "lot", "log", "cog"])))
print(ladder("hit", "xyz", ["hot"]))
print(count_islands(["11000", "11000", "00100", "00011"]))
