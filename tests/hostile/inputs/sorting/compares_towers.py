# Sorts lists as deep as can be made, different only at the bottom, and rows of one head
xs = []
for i in range(6):
    x = [i]
    for j in range(20_000):
        x = [x]
    xs.append(x)
head = [0] * 2_000
rows = [head + [i % 7, {}] for i in range(60)]
def go(f):
    try:
        print(str(f())[:60])
    except BaseException as e:
        print(type(e).__name__, str(e)[:60])
go(lambda: sorted(xs) and 1)
go(lambda: max(xs) and 1)
go(lambda: xs[0] == xs[1])
go(lambda: xs.index([]))
go(lambda: sorted(rows) and 1)
go(lambda: sorted(rows, key=tuple) and 1)
go(lambda: {tuple(r[:-1]) for r in rows} and 1)
xs.sort(key=lambda x: [rows, x])
