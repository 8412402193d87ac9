# %% max over dict with key=d.get
votes = {"python": 14, "rust": 22, "go": 9, "zig": 22}
winner = max(votes, key=votes.get)
loser = min(votes, key=votes.get)
print(f"winner={winner} loser={loser}")
print(sorted(votes, key=votes.get, reverse=True))
winner
# %% case-insensitive sort with str.lower
names = ["bob", "Alice", "carol", "Dave", "alice", "BOB"]
print(sorted(names))
print(sorted(names, key=str.lower))
print(sorted(names, key=str.casefold, reverse=True))
names.sort(key=str.swapcase)
names
# %% map str.strip over raw csv cells
raw = "  id , name ,  price  ,qty "
header = list(map(str.strip, raw.split(",")))
print(header)
cols = {name: i for i, name in enumerate(map(str.upper, header))}
print(cols)
tuple(map(str.title, header))
# %% filter with str predicates
tokens = ["12", "abc", "", "3.5", "007", "x9", "٣", "  "]
print("digits:", list(filter(str.isdigit, tokens)))
print("alpha :", list(filter(str.isalpha, tokens)))
print("space :", list(filter(str.isspace, tokens)))
print("ident :", [t for t in filter(str.isidentifier, tokens)])
total = sum(map(int, filter(str.isdigit, tokens[:6])))
total
# %% key=counts.__getitem__ raises when a key is missing
counts = {"a": 3, "b": 1, "c": 2}
print(sorted(counts, key=counts.__getitem__))
try:
    print(max(["a", "zzz"], key=counts.__getitem__))
except KeyError as e:
    print(type(e).__name__, str(e))
# with .get a missing key gives None, which does not compare
try:
    print(sorted(["a", "zzz"], key=counts.get))
except Exception as exc:
    print(f"{type(exc).__name__}: {exc}")
# %% bound append kept in a local
result = []
push = result.append
for n in range(1, 16):
    if n % 15 == 0:
        push("FizzBuzz")
    elif n % 5 == 0:
        push("Buzz")
    elif n % 3 == 0:
        push("Fizz")
    else:
        push(n)
print(len(result), result[-1])
result
# %% dedupe with seen.add in a condition
def unique(items, key=None):
    """Order-preserving unique, the classic seen_add trick."""
    seen = set()
    seen_add = seen.add
    if key is None:
        return [x for x in items if not (x in seen or seen_add(x))]
    return [x for x in items if not ((k := key(x)) in seen or seen_add(k))]

print(unique([3, 1, 3, 2, 1]))
print(unique(["a", "B", "A", "b", "c"], key=str.lower))
print(unique("mississippi"))
unique([(1, 2), (2, 1), (1, 2)], key=frozenset)
# %% join as a value for map
pairs = [("a", "b"), ("c", "d"), ["x", "y", "z"], "pq"]
print(list(map("-".join, pairs)))
print(list(map("".join, zip(*["abc", "def"]))))
rows = [["id", "name"], ["1", "ann"]]
print("\n".join(map(" | ".join, rows)))
try:
    list(map(",".join, [[1, 2]]))
except TypeError as e:
    print(type(e).__name__, e)
# %% dict.fromkeys and its friends as values
make = dict.fromkeys
print(make("hello"))
print(make(["x", "y"], 0))
print(list(map(dict.fromkeys, ["ab", (1, 2)])))
ordered_unique = lambda xs: list(dict.fromkeys(xs))
ordered_unique([5, 3, 5, 1, 3])
# %% min and max with key=len
words = "the quick brown fox jumped over lazy dogs".split()
print(min(words, key=len), max(words, key=len))
print(sorted(words, key=len)[:3])
by_len = {}
for w in words:
    by_len.setdefault(len(w), []).append(w)
print(by_len)
max(by_len.values(), key=len)
# %% itemgetter on dict items
from operator import itemgetter
import operator
stock = {"pear": 4, "fig": 11, "kiwi": 7}
print(sorted(stock.items(), key=itemgetter(1)))
print(max(stock.items(), key=operator.itemgetter(1))[0])
rows = [{"n": "a", "s": 3}, {"n": "b", "s": 1}, {"n": "c", "s": 3}]
rows.sort(key=itemgetter("s", "n"), reverse=True)
print([r["n"] for r in rows])
second_and_first = itemgetter(1, 0)
print(second_and_first("xy"), list(map(itemgetter(0), stock.items())))
caught = None
try:
    itemgetter("missing")(rows[0])
except KeyError as err:
    caught = str(err)
caught
# %% reduce over unbound set methods
from functools import reduce
groups = [{1, 2, 3}, {2, 3, 4}, {3, 4, 5}]
print(sorted(reduce(set.union, groups)))
print(sorted(reduce(set.intersection, groups)))
print(sorted(reduce(set.symmetric_difference, groups)))
print(sorted(set.union(*groups)), set.intersection(*groups))
reduce(set.difference, groups, set(range(8)))
# %% getattr dispatch by method name
s = "Hello World"
for op in ("upper", "lower", "swapcase", "title", "explode"):
    fn = getattr(s, op, None)
    print(f"{op:10}->", fn() if callable(fn) else "n/a")
print(getattr(s, "replace")("o", "0"))
getattr(s, "explode")
# %% dispatch table of bound methods
def run_ops(text: str, ops: list[str]) -> list[str]:
    table = {
        "up": text.upper,
        "down": text.lower,
        "rev": lambda: text[::-1],
        "words": text.split,       # returns a list
        "cap": text.capitalize,
    }
    out = []
    for op in ops:
        try:
            out.append(f"{op}={table[op]()!r}")
        except KeyError as exc:
            out.append(f"unknown op {exc}")
    return out

for line in run_ops("mixed Case text", ["up", "down", "rev", "words", "cap", "nope"]):
    print(line)
# %% defaultdict __getitem__ as a function
from collections import defaultdict
index = defaultdict(list)
slot = index.__getitem__
for word in ["ant", "bee", "ape", "bat", "cow"]:
    slot(word[0]).append(word)
print(dict(index))
print(list(map(slot, "abz")))
print(sorted(index))
len(index)
# %% compiled regex methods as values
import re
is_date = re.compile(r"\d{4}-\d{2}-\d{2}").fullmatch
words = re.compile(r"\w+").findall
squeeze = re.compile(r"\s+").sub
candidates = ["2024-01-05", "24-1-5", "2023-12-31", "2023-12-311"]
print([bool(is_date(c)) for c in candidates])
print(list(filter(is_date, candidates)))
print(list(map(words, ["a b", "c-d e"])))
squeeze(" ", "too   many\t\tspaces")
# %% dict.get in a comprehension with a default
prices = {"apple": 1.25, "bread": 2.5}
price_of = prices.get
basket = ["apple", "bread", "caviar", "apple"]
print([price_of(i, 0.0) for i in basket])
print(list(map(prices.get, basket)))
known = list(filter(prices.get, basket))
print(known)
sum(map(lambda i: prices.get(i, 0), basket))
# %% Counter methods as sort keys
from collections import Counter
text = "to be or not to be that is the question to ask"
c = Counter(text.split())
top = sorted(c, key=c.get, reverse=True)[:3]
print(top)
print(sorted(c, key=lambda w: (-c[w], w))[:4])
print(max(set(text.split()), key=c.__getitem__))
most = c.most_common
print(most(2), most(1)[0][0])
# %% list methods called through the class
data = [4, 1, 3]
list.append(data, 9)
list.sort(data)
print(data, list.index(data, 9), list.count(data, 1))
stacks = [[1, 2], [3], [4, 5, 6]]
print(list(map(list.pop, stacks)), stacks)
print(list(map(list.copy, stacks)))
try:
    list.append((1, 2), 3)
except TypeError as e:
    print(type(e).__name__, ":", e)
try:
    print(str.upper(42))
except TypeError as e:
    print(type(e).__name__, "->", e.args)
# %% methodcaller pipelines
from operator import methodcaller
from functools import reduce
steps = [
    methodcaller("strip"),
    methodcaller("lower"),
    methodcaller("replace", " ", "_"),
    methodcaller("split", "_", maxsplit=1),
]
print(reduce(lambda acc, f: f(acc), steps, "  Total Net Revenue "))
print(list(map(methodcaller("count", "a"), ["banana", "cat", "dog"])))
sorted(["b2", "a10", "c1"], key=methodcaller("__getitem__", slice(1, None)))
# %% startswith and endswith as filters
files = ["main.py", "test_main.py", "README.md", "setup.cfg", "test_util.py"]
is_test = lambda n: n.startswith("test_")
print(list(filter(is_test, files)))
print([*filter(lambda n: n.endswith((".py", ".md")), files)])
line = "ERROR: disk full"
print(any(map(line.startswith, ("WARN", "ERROR", "FATAL"))))
print(next(filter(line.endswith, ["empty", "full"]), None))
prefix_check = "abc".startswith
[prefix_check(p) for p in ("a", "b", ("x", "ab"), "")]
# %% type constructors as converters
schema = {"id": int, "price": float, "tags": str.split, "name": str.strip, "ok": bool}
record = {"id": " 42 ", "price": "3.50", "tags": "red  green", "name": " Widget ", "ok": ""}
parsed = {k: conv(record[k]) for k, conv in schema.items()}
print(parsed)
try:
    schema["id"]("4x2")
except ValueError as err:
    print(err)
list(map(type, parsed.values()))
# %% class method and static method references
class Temperature:
    def __init__(self, c: float):
        self.c = c

    @classmethod
    def from_f(cls, f):
        return cls(round((f - 32) * 5 / 9, 1))

    @staticmethod
    def label(c):
        return "hot" if c > 30 else "mild" if c > 15 else "cold"

    def reading(self):
        return f"{self.c}C ({self.label(self.c)})"

temps = list(map(Temperature.from_f, [50, 68, 95]))
print(list(map(Temperature.reading, temps)))
readers = [t.reading for t in temps]
print(readers[0](), readers[-1].__name__, readers[1].__self__ is temps[1])
min(temps, key=lambda t: t.c).reading()
# %% level counts with nested map and sum
log = """
INFO  boot ok
ERROR disk /dev/sda
  WARN  retry 1
ERROR net down
"""
lines = list(filter(None, map(str.strip, log.splitlines())))
levels = ["ERROR", "WARN", "INFO", "DEBUG"]
print({lv: sum(map(lambda l: l.startswith(lv), lines)) for lv in levels})
print(dict(zip(levels, map(log.count, levels))))
print([pos >= 0 for pos in map(log.find, levels)])
print(max(map(len, lines)) == len(max(lines, key=len)))
try:
    list(map(log.index, levels))
except (ValueError, OSError) as e:
    outcome = type(e).__name__, str(e)
else:
    outcome = "no error"
outcome
# %% str.format as a function
fmt = "{:>6}|{:<6}|{:^6}".format
for row in [("a", "b", "c"), (1, 2, 3)]:
    print(fmt(*row))
names = ["ann", "bo"]
print(list(map("{0} -> {0!r}".format, names)))
print(list(map("{:05.1f}".format, [3.14159, 22.5])))
print(",".join(map("{:02x}".format, b"\x00\x0f\xff")))
"{} {}".format("only one")
# %% dict views and methods passed around
def apply_all(obj, *method_names):
    return {m: getattr(obj, m)() for m in method_names}

inv = {"nuts": 10, "bolts": 25}
print(apply_all(inv, "keys", "values", "items", "copy", "__len__"))
print(apply_all([3, 1, 2], "copy", "__len__", "reverse", "sort", "pop"))
pop = inv.pop
print(pop("nuts"), pop("nuts", "gone"), inv)
try:
    print(inv.pop("nuts"))
except KeyError as e:
    print("error:", repr(e))
finally:
    print("done")
# %% sort key from a rank list .index
order = ["low", "medium", "high", "critical"]
tickets = [("T1", "high"), ("T2", "low"), ("T3", "critical"), ("T4", "medium"), ("T5", "low")]
rank = order.index
print(sorted(tickets, key=lambda t: rank(t[1])))
print(sorted({p for _, p in tickets}, key=order.index))
try:
    sorted(["high", "urgent"], key=order.index)
except ValueError as e:
    print(type(e).__name__, "-", e)
# %% extend and update bound at definition time as default args
def make_logger(prefix, _log=[], _fmt="{}: {}".format):
    add = _log.append
    def log(msg):
        add(_fmt(prefix, msg))
        return len(_log)
    log.entries = _log
    return log

a = make_logger("db")
b = make_logger("web")
print(a("connect"), b("GET /"), a("close"))
print(b.entries)
a.entries is b.entries
# %% operators as values
import operator as op
ops = {"+": op.add, "-": op.sub, "*": op.mul, "/": op.truediv, "//": op.floordiv, "**": op.pow, "%": op.mod}

def rpn(expr: str) -> float:
    stack = []
    push, pop = stack.append, stack.pop
    for tok in expr.split():
        if tok in ops:
            b, a = pop(), pop()
            push(ops[tok](a, b))
        else:
            push(float(tok) if "." in tok else int(tok))
    return pop()

print(rpn("3 4 + 2 *"), rpn("2 3 ** 1 -"), rpn("7 2 //"), rpn("1.5 2 *"))
try:
    rpn("1 0 /")
except ZeroDivisionError as e:
    print(e)
try:
    print(rpn("1 +"))
except BaseException as e:
    print("%s: %s" % (e.__class__.__name__, e))
# %% nested sort with tuple of method results
people = [("Smith", "anna", 31), ("smith", "Bob", 25), ("Jones", "Cat", 31)]
print(sorted(people, key=lambda p: (p[0].lower(), p[1].lower())))
people.sort(key=lambda p: p[2].__neg__())
print(people)
print(max(people, key=lambda p: p[1].__len__()))
print((5).__add__(3), "abc".__contains__("b"), [1, 2].__getitem__(-1), {"k": 1}.__contains__("k"))
(5).__add__("3")
# %% attrgetter with dotted paths
from operator import attrgetter
from types import SimpleNamespace as NS
items = [NS(name="x", pos=NS(row=2, col=1)), NS(name="y", pos=NS(row=1, col=9))]
print([i.name for i in sorted(items, key=attrgetter("pos.row"))])
print(list(map(attrgetter("name", "pos.col"), items)))
try:
    attrgetter("pos.depth")(items[0])
except AttributeError as e:
    print(type(e).__name__)
items[0]
# %% counting with map over str.count
dna = "AGCTTAGCTAAGGCTA"
print(dict(zip("ACGT", map(dna.count, "ACGT"))))
comp = dict(zip("ACGT", "TGCA")).__getitem__
print("".join(map(comp, reversed(dna))))
hamming = lambda a, b: sum(map(str.__ne__, a, b))
print(hamming("karolin", "kathrin"))
print(list(map(dna.find, ["TTA", "GGC", "CCC"])))
"".join(map(comp, "AGX"))
# %% partition via two bound appends
def partition(pred, xs):
    """Split xs into (matching, rest)."""
    yes, no = [], []
    for x in xs:
        (yes.append if pred(x) else no.append)(x)
    return yes, no

print(partition(str.isupper, ["A", "b", "C", "d1", "E9"]))
print(partition(lambda n: n & 1, range(10)))
print(partition({2, 3, 5, 7}.__contains__, range(8)))
evens, odds = partition((lambda n: n % 2 == 0), [])
evens, odds
# %% string methods with two mapped iterables
print(list(map(str.startswith, ["apple", "banana"], ["ap", "na"])))
print(list(map(str.split, ["a,b", "c;d"], [",", ";"])))
print(list(map(str.center, ["x", "yy"], [5, 6], "*-")))
print(list(map(str.replace, ["aaa", "bbb"], "ab", "xy", [2, 1])))
print(list(map(max, [1, 5, 3], [4, 2, 6])))
print(list(map(pow, (2, 3, 4), (5, 2))))
list(map(divmod, [17, 20], [5, 6]))
# %% chained method values in a pipeline class
class Pipeline:
    def __init__(self, *funcs):
        self.funcs = list(funcs)

    def then(self, f):
        self.funcs.append(f)
        return self

    def __call__(self, value):
        for f in self.funcs:
            value = f(value)
        return value

clean = (
    Pipeline(str.strip)
    .then(str.lower)
    .then(str.split)              # -> list of words
    .then(lambda ws: map(str.capitalize, ws))
    .then(" ".join)
)
print(clean("   tHE oLD   mAN  "))
print(list(map(clean, ["a b", " C "])))
try:
    clean(None)
except TypeError as e:
    print(type(e).__name__, e)
