# a value as deep as memory allows is shown, compared, hashed, copied and dropped
import copy, json
def deep(x, n):
    for _ in range(n): x = (x, {1: [x]} if n < 20 else 1)
    return x
a, b = deep(1, 90000), deep(1, 90000)
for f in [repr, hash, json.dumps, copy.deepcopy, echo, lambda x: x == b, lambda x: [x] < [b], print]:
    try: f(a)
    except Exception as e: print(type(e).__name__)
del b
a
