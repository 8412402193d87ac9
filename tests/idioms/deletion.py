# %% del dict keys
config = {"host": "localhost", "port": 80, "debug": True}
del config["debug"]
print(config, "debug" in config, len(config))
config["debug"] = False      # re-inserted at the end
print(list(config))
del config["host"], config["port"]
config
# %% del of a missing key
inventory = {"apple": 3}
try:
    del inventory["pear"]
except KeyError as e:
    print(type(e).__name__, str(e), e.args)
del inventory["apple"]
print(inventory)
nested = {1: {"a": []}, (0, 0): "origin"}
del nested[(0, 0)]
del nested[2]
# %% del list items by index
xs = ["a", "b", "c", "d", "e"]
del xs[0]
del xs[-1]
print(xs)
del xs[1], xs[1]
print(xs)
try:
    del xs[5]
except IndexError as e:
    print(e)
xs
# %% del slices
nums = list(range(12))
del nums[2:5]
print(nums)
del nums[-2:]
print(nums)
del nums[:1]
print(nums, len(nums))
del nums[100:]           # out of range is fine
del nums[4:2]            # empty slice too
print(nums)
lo, hi = 1, 3
del nums[lo:hi]
nums
# %% del with extended slices
xs = list("abcdefghij")
del xs[::2]
print("".join(xs))
del xs[::-2]
print("".join(xs))
ys = list(range(20))
del ys[1:15:3]
print(ys)
del ys[-1:-4:-1]
print(ys)
sieve = list(range(2, 40))
for p in (2, 3, 5):
    i = sieve.index(p)
    sieve[:] = [n for n in sieve if n == p or n % p]
sieve
# %% del xs[:] empties in place
original = [1, 2, 3]
alias = original
del alias[:]
print(original, alias is original)
original += [9]
print(alias)
def reset(buf):
    """Clear the caller's list."""
    del buf[:]
reset(original)
alias
# %% del a name then read it
x = 42
y = x
del x
print(y)
try:
    print(x)
except NameError as e:
    print(type(e).__name__, e)
x = "back"
print(x)
del x
try:
    print(x)
except NameError as e:
    print(type(e).__name__, "->", e.args)
# %- del several targets at once
a, b, c, d = 1, 2, 3, 4
del a, b
print("a" in globals(), "c" in globals())
del (c, d)
for name in "abcd":
    print(name, name in globals(), end=" ")
print()
p = q = r = [1, 2]
del p, [q]
print(r)
try:
    q
except (NameError, OSError) as e:
    outcome = type(e).__name__, str(e)
else:
    outcome = "no error"
outcome
# %% del attributes
class Config:
    mode = "class default"

cfg = Config()
cfg.mode = "instance"
cfg.tmp = 1
print(cfg.mode, vars(cfg))
del cfg.mode
print(cfg.mode, hasattr(cfg, "tmp"))
delattr(cfg, "tmp")
print(vars(cfg))
try:
    del cfg.mode
except AttributeError as e:
    print(type(e).__name__, e)
del Config.mode
cfg.mode
# %% del deep inside nested structures
doc = {"a": {"b": [10, 20, 30], "c": {"d": 1}}, "list": [{"k": 1, "drop": 2}, {"drop": 3}]}
del doc["a"]["b"][0]
del doc["a"]["c"]["d"]
del doc["list"][-1]["drop"], doc["list"][0]["drop"]
print(doc)
try:
    del doc["a"]["zzz"]["b"]
except KeyError as e:
    print("no such key:", e)
del doc["a"]["b"][1:], doc["list"][1]
doc
# %% filtering a dict through list(d)
scores = {"ann": 91, "bob": 48, "cat": 73, "dan": 30}
for name in list(scores):
    if scores[name] < 50:
        del scores[name]
print(scores)
for k in [k for k in scores if k.startswith("c")]:
    del scores[k]
print(scores)
try:
    for name in scores:
        del scores[name]
        scores["x"] = scores["y"] = 1
except RuntimeError as e:
    print(type(e).__name__, e)
len(scores)
# %% removing list items in reverse index order
xs = [4, 8, 15, 16, 23, 42]
for i in reversed(range(len(xs))):
    if xs[i] % 2 == 0:
        del xs[i]
print(xs)
ys = [1, 1, 2, 2, 3, 3]
i = 0
while i < len(ys) - 1:
    if ys[i] == ys[i + 1]:
        del ys[i + 1]
    else:
        i += 1
print(ys)
for idx in sorted([0, 2], reverse=True):
    del ys[idx]
ys
# %% UnboundLocalError after del in a function
def process(data):
    total = sum(data)
    del data
    try:
        return data
    except UnboundLocalError as e:
        print(type(e).__name__, e)
    return total

print(process([1, 2, 3]))
def twice():
    v = 1
    del v
    del v
try:
    print(twice())
except UnboundLocalError as e:
    print("error:", repr(e))
finally:
    print("done")
# %% del of a global inside a function
counter = 10
def drop():
    global counter
    del counter

drop()
try:
    counter
except NameError as e:
    print(e)
def sneaky():
    del undefined_local
try:
    sneaky()
except UnboundLocalError as e:
    print(e)
try:
    print(drop())
except BaseException as e:
    print("%s: %s" % (e.__class__.__name__, e))
# %% deleting the loop variable
for i in range(3):
    print("i is", i)
    del i
try:
    print(i)
except NameError as e:
    print(e)
for word in ["x", "y"]:
    last = word
del word
print(last)
for a, b in [(1, 2), (3, 4)]:
    del a
print(b)
print(a)
# %% class with __delitem__
class Store:
    def __init__(self, **kw):
        self.data = kw
        self.log = []

    def __delitem__(self, key):
        self.log.append(("del", key))
        if key not in self.data:
            raise KeyError(f"cannot delete {key}")
        del self.data[key]

s = Store(a=1, b=2, c=3)
del s["a"]
del s["b"], s["c"]
print(s.data, s.log)
try:
    del s["zz"]
except KeyError as e:
    print(e)
class Plain: pass
try:
    del Plain()["x"]
except TypeError as e:
    print(type(e).__name__, e)
# %% __delitem__ receives slices and tuples
class Spy:
    def __delitem__(self, key):
        print("del", key)

    def __delattr__(self, name):
        print("delattr", name)

s = Spy()
del s[1], s[-1]
del s[1:5], s[::2], s[:]
del s[1, 2], s[1:2, ..., None]
del s.anything
key = "dyn"
del s[f"{key}_1"], s[len(key) * 2]
delattr(s, key)
# %% property deleter
class Account:
    def __init__(self, owner):
        self._owner = owner

    @property
    def owner(self):
        return self._owner

    @owner.deleter
    def owner(self):
        print("closing", self._owner)
        self._owner = None

    fixed = property(lambda self: 1)

acc = Account("zoe")
del acc.owner
print(acc.owner)
try:
    del acc.fixed
except AttributeError as e:
    print(type(e).__name__, e)
del acc._owner
try:
    print(acc.owner)
except Exception as exc:
    print(f"{type(exc).__name__}: {exc}")
# %% deletions on Counter and defaultdict
from collections import Counter, defaultdict
c = Counter("banana")
del c["a"]
del c["not there"]          # Counter does not complain
print(c, c["a"])
dd = defaultdict(list, {"x": [1]})
dd["y"].append(2)
del dd["x"]
print(dict(dd), dd["x"])
del dd["x"]
try:
    del dd["x"]
except KeyError as e:
    print("KeyError", e)
+Counter({k: v for k, v in c.items() if v > 1})
# %% deletions on OrderedDict and deque
from collections import OrderedDict, deque
od = OrderedDict(a=1, b=2, c=3)
del od["b"]
od["b"] = 20
print(list(od.items()))
dq = deque("abcdef")
del dq[0], dq[-1]
print(dq)
del dq[1]
print("".join(dq))
try:
    del dq[10]
except IndexError as e:
    print(e)
del dq[0:1]
# %- del on immutable things
t = (1, 2, 3)
for action in ("del t[0]", "del 'abc'[0]", "del {1, 2}[0]", "del range(3)[0]", "del (lambda: 0).nope", "del (5).real", "del len.__name__"):
    try:
        exec(action)
    except (TypeError, AttributeError) as e:
        print(f"{action:<22}{type(e).__name__}: {e}")
t2 = ([1, 2], "x")
del t2[0][0]
print(t2)
caught = None
try:
    del t2[0]
except TypeError as err:
    caught = str(err)
caught
# %% pop, remove, clear compared with del
xs = [1, 2, 3, 2]
xs.remove(2)
print(xs, xs.pop(), xs.pop(0), xs)
d = {"a": 1, "b": 2, "c": 3}
print(d.pop("a"), d.pop("zz", None), d.popitem(), d)
s = {1, 2}
s.discard(7)
s.remove(1)
print(s)
for f in (lambda: xs.remove(99), lambda: d.pop("q"), lambda: s.remove(7), lambda: [].pop(), lambda: {}.popitem(), lambda: set().pop()):
    try:
        f()
    except (ValueError, KeyError, IndexError) as e:
        print(type(e).__name__, e)
xs.clear(); d.clear(); s.clear()
(xs, d, s)
# %% walrus-free dedupe by deleting later duplicates
def drop_dupes(rows, key):
    seen = {}
    i = 0
    while i < len(rows):
        k = rows[i][key]
        if k in seen:
            del rows[i]
        else:
            seen[k] = i
            i += 1
    return rows

rows = [{"id": 1, "v": "a"}, {"id": 2, "v": "b"}, {"id": 1, "v": "c"}, {"id": 2, "v": "d"}]
print(drop_dupes(rows, "id"))
for r in rows:
    del r["v"]
print(rows)
try:
    print(drop_dupes(rows, "v"))
except LookupError as e:
    print(type(e).__name__, "->", e.args)
# %% scrubbing secrets recursively
def scrub(node, banned=frozenset({"password", "token"})):
    if isinstance(node, dict):
        for key in list(node.keys()):
            if key in banned:
                del node[key]
            else:
                scrub(node[key], banned)
    elif isinstance(node, list):
        for child in node:
            scrub(child, banned)
    return node

payload = {"user": "u1", "password": "p", "sessions": [{"token": "t", "ip": "::1"}, {"ip": "::2"}]}
print(scrub(payload))
scrub({"token": {"nested": 1}, "keep": {"password": 0}})
# %% simple LRU eviction with del
class LRU:
    def __init__(self, cap: int):
        self.cap, self.d = cap, {}

    def get(self, k):
        if k not in self.d:
            return -1
        v = self.d[k]
        del self.d[k]
        self.d[k] = v
        return v

    def put(self, k, v):
        if k in self.d:
            del self.d[k]
        self.d[k] = v
        if len(self.d) > self.cap:
            oldest = next(iter(self.d))
            del self.d[oldest]

c = LRU(2)
c.put(1, "a"); c.put(2, "b"); c.get(1); c.put(3, "c")
print(c.get(2), c.get(1), c.get(3), c.d)
# %% exception variable is deleted after the handler
try:
    1 / 0
except ZeroDivisionError as err:
    saved = err
    print("caught", err)
print(saved)
try:
    print(err)
except NameError as e2:
    print(e2)
err = "mine"
try:
    int("x")
except ValueError as err:
    pass
err
# %- del and closures
def outer():
    secret = "s3cr3t"
    def peek():
        return secret
    print(peek())
    del secret
    try:
        peek()
    except NameError as e:
        print(type(e).__name__, e)
    secret = "new"
    return peek

print(outer()())
ns = {"k": 1}
exec("k2 = k + 1\ndel k", ns)
print(ns["k2"], "k" in ns)
# %% matrix row and column removal
def minor(m, r, c):
    m = [row[:] for row in m]
    del m[r]
    for row in m:
        del row[c]
    return m

def det(m):
    if len(m) == 1:
        return m[0][0]
    return sum((-1) ** j * m[0][j] * det(minor(m, 0, j)) for j in range(len(m)))

m = [[2, 0, 1], [1, 3, 2], [1, 1, 1]]
print(minor(m, 1, 1), det(m), m)
try:
    det(minor(m, 0, 9))
except (IndexError, OSError) as e:
    outcome = type(e).__name__, str(e)
else:
    outcome = "no error"
outcome
# %% __slots__ and del
class P:
    __slots__ = ("x", "y")
    def __init__(self, x, y):
        self.x, self.y = x, y

p = P(1, 2)
del p.x
print(hasattr(p, "x"), p.y)
try:
    p.x
except AttributeError as e:
    print(type(e).__name__, e)
p.x = 5
print(p.x)
del p.y
try:
    p.z = 1
except AttributeError as e:
    print(e)
try:
    del p.y
except AttributeError as e:
    print("error:", repr(e))
finally:
    print("done")
# %% del a method, an imported name and a builtin shadow
import math
class Robot:
    def beep(self):
        return "beep"

r = Robot()
del Robot.beep
try:
    r.beep()
except AttributeError as e:
    print(e)
len = lambda x: "shadowed"
print(len([1, 2, 3]))
del len
print(len([1, 2, 3]))
del math
math.pi
