# Keys and comparisons that empty, grow, sort and free the very list that is being sorted
class Evil:
    xs = []
    def __init__(self, n):
        self.n = n
    def __lt__(self, other):
        xs = Evil.xs
        if self.n % 5 == 0:
            xs.clear()
        elif self.n % 5 == 1:
            xs.extend([Evil(9)] * 50)
        elif self.n % 5 == 2:
            xs.sort()
        elif self.n % 5 == 3:
            xs[:] = [self, other] * 3
        other.n += 1
        return other.n % 2 == 0
def key(x):
    Evil.xs.append(x)
    if len(Evil.xs) > 400:
        Evil.xs.clear()
    return x
for turn in range(2000):
    xs = Evil.xs = [Evil((i * i + turn) % 97) for i in range(60)]
    for way in (lambda: xs.sort(), lambda: xs.sort(key=key), lambda: sorted(xs), lambda: max(xs, key=key), lambda: xs.sort(key=lambda x: xs.pop()), lambda: min(map(key, xs)), lambda: xs.reverse()):
        try:
            way()
        except Exception as e:
            last = e
print(type(last).__name__, str(last)[:80], len(xs))
