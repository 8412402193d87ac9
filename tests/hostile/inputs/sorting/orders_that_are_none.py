# Sorts what has no order: no numbers among numbers, sets, rows of them, complex, texts of all kinds
import random, math
nan, inf = float('nan'), float('inf')
xs = [nan, inf, -inf, -0.0, 0, 5e-324, 10 ** 400, -10 ** 400, 2 ** 53, 2.0 ** 53 + 2, True, nan] * 3000
random.shuffle(xs)
def go(f):
    try:
        print(str(f())[:60])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
go(lambda: len(sorted(xs)))
go(lambda: sorted([[x] for x in xs])[0])
go(lambda: sorted([(x, {1}) for x in xs])[0])
go(lambda: max(xs))
go(lambda: sorted([{i} for i in range(3000)] + [{i, i + 1} for i in range(3000)])[0])
go(lambda: sorted([1, 'a', None, 2.0, b'']))
go(lambda: sorted([1j, 2j]))
go(lambda: sorted(xs, key=lambda x: random.random())[0])
go(lambda: sorted(xs, key=lambda x: (x, x, [x, {x: x}]))[0])
go(lambda: sorted('\U0010ffff\ud800\ufffd\x00é' * 3000)[0])
go(lambda: sorted([b'\xff' * i for i in range(999)], reverse=True)[0][:3])
go(lambda: [sorted([nan] * i + list(range(i))) for i in range(60)][-1][:3])
