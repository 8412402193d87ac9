# %% unit converter with tables
FACTORS = {
    "length": {"m": 1, "km": 1000, "cm": 0.01, "mile": 1609.344, "ft": 0.3048},
    "mass": {"kg": 1, "g": 0.001, "lb": 0.45359237},
}

def category_of(unit):
    for category, units in FACTORS.items():
        if unit in units:
            return category
    raise ValueError(f"unknown unit: {unit}")

def convert(value, src, dst):
    if {src, dst} <= {"C", "F", "K"}:
        to_c = {"C": lambda v: v, "F": lambda v: (v - 32) / 1.8, "K": lambda v: v - 273.15}
        from_c = {"C": lambda v: v, "F": lambda v: v * 1.8 + 32, "K": lambda v: v + 273.15}
        return from_c[dst](to_c[src](value))
    cat, cat2 = category_of(src), category_of(dst)
    if cat != cat2:
        raise ValueError(f"cannot convert {cat} to {cat2}")
    return value * FACTORS[cat][src] / FACTORS[cat][dst]

for query in ["5 km mile", "100 F C", "0 K F", "12 ft m", "3 kg m", "1 parsec m", "2.5 lb g"]:
    amount, src, dst = query.split()
    try:
        print(f"{amount} {src} = {convert(float(amount), src, dst):.4g} {dst}")
    except ValueError as e:
        print("error:", e)

def human_size(n):
    for unit in ("B", "KB", "MB", "GB"):
        if n < 1024 or unit == "GB":
            return f"{n:.1f} {unit}" if unit != "B" else f"{n} B"
        n /= 1024

def human_time(s):
    m, s = divmod(s, 60)
    h, m = divmod(m, 60)
    d, h = divmod(h, 24)
    return " ".join(f"{v}{u}" for v, u in ((d, "d"), (h, "h"), (m, "m"), (s, "s")) if v) or "0s"

print([human_size(n) for n in (0, 1023, 1536, 5 * 1024 ** 2, 3 * 1024 ** 4)], [human_time(t) for t in (0, 59, 3661, 90061)])

# %% date arithmetic and age
from datetime import date, datetime, timedelta
import calendar

def age(born, today):
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))

def business_days(start, end):
    days = (start + timedelta(days=i) for i in range((end - start).days + 1))
    return sum(1 for d in days if d.weekday() < 5)

def add_months(d, n):
    y, m = divmod(d.month - 1 + n, 12)
    y, m = d.year + y, m + 1
    return date(y, m, min(d.day, calendar.monthrange(y, m)[1]))

today = date(2024, 3, 15)
print(age(date(1990, 3, 16), today), age(date(1990, 3, 15), today), business_days(date(2024, 3, 1), date(2024, 3, 31)))
print(add_months(date(2024, 1, 31), 1), add_months(date(2023, 11, 30), 3), add_months(today, -3))
print([y for y in range(1896, 1913) if calendar.isleap(y)], (date(2024, 12, 25) - today).days)
print([d.strftime("%a %d %b") for d in (date(2024, 1, 1) + timedelta(weeks=i) for i in range(3))])
friday13 = [date(2023, m, 13).isoformat() for m in range(1, 13) if date(2023, m, 13).weekday() == 4]
print(friday13, today.isocalendar(), today.timetuple().tm_yday, today.replace(day=1))
dt = datetime(2024, 3, 15, 13, 5, 9)
print(dt.strftime("%Y-%m-%d %I:%M %p"), f"{dt:%H:%M}", dt + timedelta(hours=36, minutes=30), dt.date() == today)
print(datetime.strptime("01/02/2023 03:04", "%d/%m/%Y %H:%M"), datetime.fromisoformat("2024-01-01T10:00:00") < dt)
print(timedelta(days=1, seconds=3661), str(timedelta(minutes=-5)), timedelta(hours=5) / 2, timedelta(hours=5) // timedelta(minutes=45))
print(calendar.month_name[2], calendar.day_abbr[0], sorted([date(2024, 5, 1), today])[0])

# %% calendar month printer
import calendar
from datetime import date

def render(year, month):
    first = date(year, month, 1).weekday()
    days = calendar.monthrange(year, month)[1]
    cells = ["  "] * first + [f"{d:2}" for d in range(1, days + 1)]
    yield f"{calendar.month_name[month]} {year}".center(20).rstrip()
    yield "Mo Tu We Th Fr Sa Su"
    for i in range(0, len(cells), 7):
        yield " ".join(cells[i:i + 7])

print("\n".join(render(2024, 2)))
print(calendar.month(2023, 10))
for week in calendar.monthcalendar(2024, 2)[:2]:
    print(week)

# %% tic tac toe with minimax
from functools import lru_cache

WINS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

def winner(board):
    for a, b, c in WINS:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return None

@lru_cache(maxsize=None)
def minimax(board, player):
    w = winner(board)
    if w:
        return (1 if w == "X" else -1), None
    moves = [i for i, c in enumerate(board) if c == " "]
    if not moves:
        return 0, None
    scored = [(minimax(board[:m] + player + board[m + 1:], "O" if player == "X" else "X")[0], m) for m in moves]
    return max(scored, key=lambda s: (s[0], -s[1])) if player == "X" else min(scored)

def show(board):
    print("\n-+-+-\n".join("|".join(board[i:i + 3]) for i in (0, 3, 6)))

board, player = "XO  X    ", "O"
while winner(board) is None and " " in board:
    score, move = minimax(board, player)
    board = board[:move] + player + board[move + 1:]
    player = "OX"[player == "O"]
show(board)
print("winner:", winner(board) or "draw")

# %% simple virtual machine with match
def run(program, debug=False):
    stack, variables, pc, output = [], {}, 0, []
    labels = {line.rstrip(":"): i for i, line in enumerate(program) if line.endswith(":")}
    while pc < len(program):
        match program[pc].split():
            case ["push", value]:
                stack.append(int(value))
            case ["store", name]:
                variables[name] = stack.pop()
            case ["load", name] if name in variables:
                stack.append(variables[name])
            case ["load", name]:
                raise NameError(f"undefined variable {name}")
            case [("add" | "sub" | "mul") as op]:
                b, a = stack.pop(), stack.pop()
                stack.append({"add": a + b, "sub": a - b, "mul": a * b}[op])
            case ["jmp", label]:
                pc = labels[label]
            case ["jz", label]:
                if stack.pop() == 0:
                    pc = labels[label]
            case ["print", *rest]:
                output.append(" ".join([*rest, str(stack[-1])]))
            case [label] if label.endswith(":"):
                pass
            case _:
                raise ValueError(f"bad instruction: {program[pc]!r}")
        pc += 1
    return output, variables

code = """push 5
store n
push 1
store acc
loop:
load n
jz end
load acc
load n
mul
store acc
load n
push 1
sub
store n
jmp loop
end:
load acc
print result is""".splitlines()
print(run(code))
for bad in (["load x"], ["frobnicate 1 2"]):
    try:
        run(bad)
    except (NameError, ValueError) as e:
        print(type(e).__name__, "-", e)

# %% structural matching on shapes and commands
from dataclasses import dataclass

@dataclass
class Circle:
    radius: float

@dataclass
class Rect:
    width: float
    height: float

def area(shape):
    match shape:
        case Circle(radius=r):
            return round(3.14159 * r * r, 2)
        case Rect(w, h) if w == h:
            return f"square {w * h}"
        case Rect(width=w, height=h):
            return w * h
        case {"type": "triangle", "base": b, "height": h, **rest}:
            return b * h / 2, rest
        case [x, y, *others]:
            return f"sequence {x} {y} +{len(others)}"
        case int() | float() as n:
            return f"number {n}"
        case str(s):
            return f"text {s}"
        case None:
            return "nothing"
        case _:
            return "unknown"

for s in [Circle(2), Rect(3, 3), Rect(2, 5), {"type": "triangle", "base": 4, "height": 3, "color": "red"}, [1, 2, 3], (1, 2), 7, 2.5, "hi", None, {1}]:
    print(area(s))

# %% number base converter and binary strings
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

def to_base(n, base):
    if not 2 <= base <= 36:
        raise ValueError("base must be between 2 and 36")
    if n == 0:
        return "0"
    sign, n = ("-" if n < 0 else ""), abs(n)
    out = ""
    while n:
        n, r = divmod(n, base)
        out = DIGITS[r] + out
    return sign + out

def twos_complement(n, bits=8):
    return format(n & (1 << bits) - 1, f"0{bits}b")

for n, b in [(255, 16), (-10, 2), (123456789, 36), (0, 7)]:
    s = to_base(n, b)
    print(f"{n:>10} base {b:<2} = {s:<10} back: {int(s, b)}")
print(twos_complement(-5), twos_complement(5), f"{255:#x} {255:#b} {255:X} {8:#o} {1_000_000:,}")
print(int.from_bytes(b"\x01\x00", "big"), (1024).to_bytes(2, "big"), (5).to_bytes(4, "little").hex(), bytes.fromhex("48656c6c6f").decode())
print(" ".join(f"{ord(c):08b}" for c in "Hi"), "".join(chr(int(b, 2)) for b in "01001000 01101001".split()))
try:
    int("12", 2)
except ValueError as e:
    print(e)
ip = "192.168.1.10"
num = sum(int(p) << 8 * (3 - i) for i, p in enumerate(ip.split(".")))
print(num, ".".join(str(num >> s & 255) for s in (24, 16, 8, 0)), bin(0xFFFFFF00).count("1"))

# %% bank simulation with event log and json
import json
from collections import defaultdict

events = [
    {"type": "open", "account": "A", "amount": 100},
    {"type": "open", "account": "B"},
    {"type": "transfer", "from": "A", "to": "B", "amount": 30},
    {"type": "transfer", "from": "B", "to": "A", "amount": 300},
    {"type": "close", "account": "C"},
    {"type": "explode"},
]
balances, errors = {}, []

def on_open(account, amount=0):
    balances[account] = amount

def on_transfer(amount, **kw):
    src, dst = kw["from"], kw["to"]
    if balances[src] < amount:
        raise ValueError(f"{src} has only {balances[src]}")
    balances[src] -= amount
    balances[dst] += amount

def on_close(account):
    return balances.pop(account)

handlers = {name[3:]: fn for name, fn in {"on_open": on_open, "on_transfer": on_transfer, "on_close": on_close}.items()}
for i, event in enumerate(events):
    args = {k: v for k, v in event.items() if k != "type"}
    try:
        handlers[event["type"]](**args)
    except KeyError as e:
        errors.append({"event": i, "error": f"unknown {e}"})
    except ValueError as e:
        errors.append({"event": i, "error": str(e)})
print(json.dumps({"balances": balances, "errors": errors}, indent=2))
state = json.loads(json.dumps(balances))
assert state == balances and state is not balances

# %% bank queue simulation with seeded lcg
from collections import deque
from statistics import mean, median

class Customer:
    def __init__(self, arrival, service):
        self.arrival, self.service = arrival, service
        self.start = None

    @property
    def wait(self):
        return self.start - self.arrival

def lcg(seed):
    while True:
        seed = (seed * 48271) % 2147483647
        yield seed / 2147483647

def simulate(n_tellers, n_customers, seed=1):
    rnd = lcg(seed)
    t, pending = 0, deque()
    for _ in range(n_customers):
        t += 1 + int(next(rnd) * 4)
        pending.append(Customer(t, 3 + int(next(rnd) * 6)))
    free_at, served = [0] * n_tellers, []
    while pending:
        c = pending.popleft()
        i = min(range(n_tellers), key=lambda k: free_at[k])
        c.start = max(c.arrival, free_at[i])
        free_at[i] = c.start + c.service
        served.append(c)
    return served, max(free_at)

for tellers in (1, 2, 3):
    served, end = simulate(tellers, 50)
    waits = [c.wait for c in served]
    busy = sum(c.service for c in served) / (tellers * end)
    print(f"{tellers} teller(s): mean wait {mean(waits):6.2f}, median {median(waits)}, max {max(waits)}, utilization {busy:.1%}")

# %% elementary cellular automaton and mandelbrot
def automaton(rule, width=31, steps=8):
    table = {tuple(map(int, f"{i:03b}")): rule >> i & 1 for i in range(8)}
    row = [0] * width
    row[width // 2] = 1
    for _ in range(steps):
        yield "".join(".#"[c] for c in row)
        row = [table[row[i - 1], row[i], row[(i + 1) % width]] for i in range(width)]

for line in automaton(30):
    print(line)

def mandelbrot(c, limit=20):
    z = 0
    for n in range(limit):
        if abs(z) > 2:
            return n
        z = z * z + c
    return limit

for y in range(-4, 5, 2):
    print("".join("@" if mandelbrot(complex(x / 10, y / 4)) == 20 else "-" for x in range(-20, 8)))

# %% random walk with seeded random
import random

random.seed(42)
print([random.randint(1, 6) for _ in range(5)], random.random() < 1)
rng = random.Random(7)
x = y = 0
path = [(x, y)]
for _ in range(10):
    dx, dy = rng.choice([(0, 1), (0, -1), (1, 0), (-1, 0)])
    x, y = x + dx, y + dy
    path.append((x, y))
print(path)
deck = list(range(10))
rng.shuffle(deck)
print(deck, rng.sample(range(100), 4), rng.choices("ab", weights=[9, 1], k=6), round(rng.uniform(1, 2), 4), round(rng.gauss(0, 1), 4))
print(random.choice(["x", "y"]), random.randrange(0, 100, 5))

# %% currency with decimal rounding
from decimal import Decimal, ROUND_HALF_EVEN, ROUND_HALF_UP, getcontext

prices = ["19.99", "5.005", "0.1"]
total = sum(Decimal(p) for p in prices)
cents = Decimal("0.01")
print(total, total.quantize(cents), total.quantize(cents, rounding=ROUND_HALF_UP))
print(Decimal("0.1") + Decimal("0.2") == Decimal("0.3"), 0.1 + 0.2 == 0.3, 0.1 + 0.2)
def split(amount, n):
    share = (amount / n).quantize(cents, rounding="ROUND_DOWN")
    parts = [share] * n
    for i in range(int((amount - share * n) / cents)):
        parts[i] += cents
    return parts
print(split(Decimal("100"), 3), sum(split(Decimal("100"), 3)))
print(f"{Decimal('1234567.891'):,.2f}", Decimal(10) / 4, Decimal("1.10") * 3, -Decimal("5"), abs(Decimal("-2.50")), int(Decimal("7.9")))
print(round(2.5), round(3.5), round(2.675, 2), round(1234.5678, -2), round(0.5), round(-1.5), 7 // -2, 7 % -2, divmod(-7, 3))

def loan(principal, rate, years):
    r, n = rate / 12, years * 12
    payment = principal * r / (1 - (1 + r) ** -n)
    balance, interest = principal, 0
    for month in range(1, n + 1):
        i = balance * r
        interest += i
        balance -= payment - i
        if month % 12 == 0:
            yield month // 12, round(balance, 2) + 0.0, round(interest, 2)

for year, balance, interest in loan(10000, 0.05, 3):
    print(f"Year {year}: balance {balance:>10,.2f} interest {interest:>8,.2f}")

# %% typed config with dataclasses and replace
from dataclasses import dataclass, field, asdict, replace, fields, astuple
from typing import List, Optional, ClassVar
import json

@dataclass
class Database:
    host: str = "localhost"
    port: int = 5432
    options: dict = field(default_factory=dict)

    @property
    def url(self):
        return f"db://{self.host}:{self.port}"

@dataclass
class Config:
    VERSION: ClassVar[int] = 2
    name: str
    db: Database = field(default_factory=Database)
    tags: List[str] = field(default_factory=list)
    secret: Optional[str] = field(default=None, repr=False)

    @classmethod
    def from_dict(cls, d):
        d = dict(d)
        d["db"] = Database(**d.get("db", {}))
        return cls(**d)

cfg = Config.from_dict({"name": "prod", "db": {"host": "db1", "options": {"ssl": True}}, "tags": ["a"], "secret": "x"})
print(cfg)
print(json.dumps(asdict(cfg)), cfg.db.url, Config.VERSION)
dev = replace(cfg, name="dev", db=Database())
print(dev.name, dev.tags is cfg.tags, dev == cfg, cfg == replace(cfg), [f.name for f in fields(cfg)])
print(astuple(Database("h", 1)))
a, b = Config("a"), Config("b")
a.tags.append("only a")
print(b.tags, a.db == b.db, a.db is b.db)
try:
    Config()
except TypeError as e:
    print(e)

# %% text based menu driven todo list
import textwrap
from datetime import date

class TodoList:
    PRIORITIES = ("low", "medium", "high")

    def __init__(self):
        self.tasks, self._id = {}, 0

    def add(self, title, priority="medium", due=None):
        if priority not in self.PRIORITIES:
            raise ValueError(f"priority must be one of {', '.join(self.PRIORITIES)}")
        self._id += 1
        self.tasks[self._id] = {"title": title, "priority": priority, "due": due, "done": False}
        return self._id

    def complete(self, task_id):
        try:
            self.tasks[task_id]["done"] = True
        except KeyError:
            print(f"No task {task_id}")

    def __iter__(self):
        order = lambda kv: (kv[1]["done"], -self.PRIORITIES.index(kv[1]["priority"]), kv[1]["due"] or date.max)
        yield from sorted(self.tasks.items(), key=order)

    def show(self):
        for i, t in self:
            box = "[x]" if t["done"] else "[ ]"
            due = f" (due {t['due']:%b %d})" if t["due"] else ""
            print(f"{box} {i:>2}. {t['title']:<20} {t['priority'].upper():>6}{due}")
        done = sum(t["done"] for t in self.tasks.values())
        print(f"{done}/{len(self.tasks)} done ({done / max(len(self.tasks), 1):.0%})")

todo = TodoList()
todo.add("Write report", "high", date(2024, 5, 2))
todo.add("Buy milk")
todo.add("Call mom", "high", date(2024, 4, 30))
todo.complete(2)
todo.complete(9)
todo.show()
try:
    todo.add("x", priority="urgent")
except ValueError as e:
    print(e)

# %% assert based tests run by a tiny runner
import traceback

def test_addition():
    assert 1 + 1 == 2

def test_failure():
    assert sorted([3, 1]) == [3, 1], "lists differ"

def test_error():
    {}["missing"]

def run_tests(*tests):
    passed = failed = 0
    for test in tests:
        try:
            test()
        except AssertionError as e:
            failed += 1
            print(f"FAIL  {test.__name__}: {e}")
        except Exception as e:
            failed += 1
            print(f"ERROR {test.__name__}: {type(e).__name__}({e})")
        else:
            passed += 1
            print(f"PASS  {test.__name__}")
    print(f"{passed} passed, {failed} failed")
    return failed == 0

print(run_tests(test_addition, test_failure, test_error))
if __name__ == "__main__":
    print("done")

# %% main guard with argument parsing helpers
import sys
from typing import Union, Tuple, Any

def parse_args(argv: list[str]) -> Tuple[dict[str, Any], list[str]]:
    options, positional = {}, []
    it = iter(argv)
    for arg in it:
        if arg.startswith("--"):
            key, eq, value = arg[2:].partition("=")
            options[key.replace("-", "_")] = value if eq else True
        elif arg.startswith("-") and len(arg) == 2:
            options[arg[1:]] = next(it, None)
        else:
            positional.append(arg)
    return options, positional

def coerce(value: str) -> Union[int, float, bool, str]:
    if isinstance(value, bool):
        return value
    for conv in (int, float):
        try:
            return conv(value)
        except (ValueError, TypeError):
            continue
    return {"true": True, "false": False}.get(value.lower(), value)

def main(argv=None) -> int:
    opts, args = parse_args(argv or [])
    print({k: coerce(v) for k, v in opts.items()}, args)
    if not args:
        print("usage: prog FILE", file=sys.stderr)
        return 2
    return 0

if __name__ == "__main__":
    print(main(["--verbose", "--dry-run=false", "-n", "5", "--rate=0.5", "file.txt"]))
    print(main())

# %% error handling with else and finally
def safe_divide(a, b):
    try:
        result = a / b
    except ZeroDivisionError:
        print("cannot divide by zero")
        return None
    except TypeError as e:
        print(f"type error: {e}")
        raise
    else:
        print("ok")
        return result
    finally:
        print("finished")

class ValidationError(ValueError):
    pass

def load(record):
    try:
        return int(record["age"])
    except KeyError as e:
        raise ValidationError(f"missing field {e}") from e
    except ValueError as e:
        raise ValidationError(f"bad age: {record['age']!r}") from e

print(safe_divide(10, 4), safe_divide(1, 0))
try:
    safe_divide("1", 2)
except TypeError as e:
    print("caught", type(e).__name__)
for rec in ({"age": "42"}, {}, {"age": "x"}):
    try:
        print(load(rec))
    except ValidationError as e:
        print(f"{e} <- {type(e.__cause__).__name__}", isinstance(e, ValueError))
for bad in (lambda: [][0], lambda: {}["k"], lambda: int("q"), lambda: None.x, lambda: 1 + "a", lambda: undefined_name, lambda: (1, 2)[5], lambda: "abc".index("z"), lambda: [].pop(), lambda: float("1,5")):
    try:
        bad()
    except Exception as e:
        print(f"{type(e).__name__}: {e}")

# %% bytes, hashing and encodings
import base64
import hashlib
import binascii

def checksum(data: bytes) -> int:
    total = 0
    for i, byte in enumerate(data):
        total = (total + (i + 1) * byte) % 65521
    return total

def xor(data: bytes, key: bytes) -> bytes:
    return bytes(b ^ key[i % len(key)] for i, b in enumerate(data))

def crc8(data):
    crc = 0
    for b in data:
        crc ^= b
        for _ in range(8):
            crc = (crc << 1 ^ 0x07) & 0xFF if crc & 0x80 else crc << 1
    return crc

msg = "héllo wörld".encode("utf-8")
print(msg, len(msg), checksum(msg), f"{crc8(b'123456789'):#04x}")
secret = xor(msg, b"key")
print(secret.hex(), xor(secret, b"key").decode())
print(base64.b64encode(msg).decode(), base64.b64decode("aGk="), hashlib.md5(b"x").hexdigest(), hashlib.sha256(msg).hexdigest()[:16])
print(bytes([72, 105]), list(b"abc"), bytes(3), b"a,b".split(b","), bytearray(b"xy") + b"z", binascii.hexlify(b"\x00\xff"))

class Blockchain:
    def __init__(self):
        self.chain = []
        self.add("genesis")

    def add(self, data):
        prev = self.chain[-1]["hash"] if self.chain else "0" * 64
        nonce = 0
        while not (h := hashlib.sha256(f"{prev}{data}{nonce}".encode()).hexdigest()).startswith("0"):
            nonce += 1
        self.chain.append({"data": data, "nonce": nonce, "prev": prev, "hash": h})

    def valid(self):
        return all(b["prev"] == a["hash"] for a, b in zip(self.chain, self.chain[1:]))

bc = Blockchain()
bc.add("Alice pays Bob 5")
for block in bc.chain:
    print(block["nonce"], block["hash"][:10])
print(bc.valid())

# %% recipe scaler with fractions
from fractions import Fraction
import re

def parse_quantity(text):
    whole, _, frac = text.rpartition(" ")
    total = Fraction(frac) if frac else Fraction(0)
    return total + int(whole) if whole else total

def pretty(q):
    whole, rest = divmod(q, 1)
    if not rest:
        return str(whole)
    return f"{whole} {rest}" if whole else f"{rest}"

recipe = {"flour": "2 1/2 cups", "sugar": "3/4 cups", "eggs": "3"}
for factor in (Fraction(1, 2), 2, Fraction("1.5")):
    print(f"x{factor}:")
    for name, text in recipe.items():
        m = re.match(r"([\d\s/]+)\s*(\w*)", text)
        qty, unit = m.group(1).strip(), m.group(2)
        print(f"  {pretty(parse_quantity(qty) * factor)} {unit} {name}".rstrip().replace("  ", " "))
f = Fraction(3, 4)
print(f.numerator, f.denominator, float(f), f + 1, f ** 2, Fraction(0.5), Fraction(10, 4).limit_denominator(3), f > 0.5, [f, -f], max(f, Fraction(4, 5)))

# %% exercise statistics by hand
import math
from collections import Counter
import statistics

def describe(xs):
    n = len(xs)
    mean = sum(xs) / n
    var = sum((x - mean) ** 2 for x in xs) / (n - 1)
    s = sorted(xs)
    mid = n // 2
    median = s[mid] if n % 2 else (s[mid - 1] + s[mid]) / 2
    [(mode, freq)] = Counter(xs).most_common(1)
    return {"n": n, "mean": mean, "median": median, "mode": mode, "stdev": math.sqrt(var), "range": (s[0], s[-1])}

data = [2, 4, 4, 4, 5, 5, 7, 9]
for k, v in describe(data).items():
    print(f"{k:<8}{v:>12.4f}" if isinstance(v, float) else f"{k:<8}{v!s:>12}")
assert math.isclose(describe(data)["stdev"], statistics.stdev(data))
lo, hi, bins = min(data), max(data), 4
step = (hi - lo) / bins
for b in range(bins):
    left, right = lo + b * step, lo + (b + 1) * step
    n = sum(left <= x < right or (b == bins - 1 and x == hi) for x in data)
    print(f"[{left:5.2f}, {right:5.2f}{']' if b == bins - 1 else ')'} {'*' * n} {n}")
print(statistics.mode("aab"), statistics.quantiles(data, n=4), statistics.pstdev(data), f"{statistics.fmean(data):.3f}")

# %% deleted keys that are not there
d = {}
try:
    del d[5]
except KeyError as e:
    print(e, e.args, repr(e))

# %% deleted keys of a defaultdict
from collections import defaultdict
d = defaultdict(int)
for k in (1, (1, 2), "s"):
    try:
        del d[k]
    except KeyError as e:
        print(e, e.args, repr(e))

# %% deleted keys by way of a class
class A:
    def __init__(self): self.data = {}
    def __delitem__(self, i):
        del self.data[i]
try:
    del A()[9]
except KeyError as e:
    print("KeyError", e)

# %% keys that sets and dicts lack
class S:
    def __init__(self): self.items = set()
    def drop(self, k):
        self.items.remove(k)
    def get(self, k):
        return {}[k]
s = S()
for f in (s.drop, s.get):
    try:
        f(4)
    except KeyError as e:
        print(f"KeyError: {e}")
try:
    s.items.pop()
except KeyError as e:
    print(e)
try:
    {}.popitem()
except KeyError as e:
    print(e)

# %% popitem of what is empty
def f(d):
    try:
        d.popitem()
    except KeyError as e:
        return f"empty: {e}"
    return d
class Q:
    def popitem(self): raise KeyError("nothing")
print(f({}), f({1: 2, 3: 4}), f(Q()))
from collections import OrderedDict, Counter
print(f(OrderedDict(a=1)), f(Counter()))

# %% what is not there, caught as Exception
d = {}
for f in (lambda: 1, ):
    try:
        d.pop(5)
    except Exception as e:
        print(type(e).__name__, e, repr(e))
    try:
        del d[5]
    except Exception as e:
        print(type(e).__name__, e, repr(e))
    try:
        {1, 2}.remove((3, 4))
    except Exception as e:
        print(f"{e!r}")
    try:
        [1].remove(5)
    except Exception as e:
        print(f"{e!r}")
    try:
        [1].pop(5)
    except Exception as e:
        print(f"{e!r}")
    try:
        [].pop()
    except Exception as e:
        print(f"{e!r}")

# %% grade histogram and report with nested functions
def report(scores, *, width=20, char="#"):
    def bar(n, top):
        return char * round(n / top * width)
    buckets = {}
    for name, score in scores.items():
        key = f"{score // 10 * 10}-{score // 10 * 10 + 9}" if score < 100 else "100"
        buckets.setdefault(key, []).append(name)
    top = max(len(v) for v in buckets.values())
    for key in sorted(buckets, key=lambda k: int(k.split("-")[0])):
        yield f"{key:>7} |{bar(len(buckets[key]), top):<{width}}| {', '.join(sorted(buckets[key]))}"

print("\n".join(report({"Ann": 91, "Bob": 78, "Cid": 100, "Dee": 95, "Eve": 71, "Fay": 73})))
print(*report({"X": 5}, width=4, char="="), sep="\n")

# %% class with __getattr__ delegation and proxies
class LoggingProxy:
    def __init__(self, target):
        self._target = target
        self.calls = []

    def __getattr__(self, name):
        attr = getattr(self._target, name)
        if callable(attr):
            def wrapper(*args, **kwargs):
                self.calls.append(name)
                return attr(*args, **kwargs)
            return wrapper
        return attr

class Service:
    version = "1.0"
    def greet(self, who, punct="!"):
        return f"hello {who}{punct}"

p = LoggingProxy(Service())
print(p.greet("bob"), p.greet("eve", punct="?"), p.version, p.calls)
try:
    p.missing
except AttributeError as e:
    print(e)
q = LoggingProxy([3, 1, 2])
q.append(9)
q.sort()
print(q._target, q.calls)

# %% ring buffer and moving average
class RingBuffer:
    def __init__(self, size):
        self.size = size
        self.data = [None] * size
        self.index = 0
        self.full = False

    def append(self, x):
        self.data[self.index] = x
        self.index = (self.index + 1) % self.size
        self.full |= self.index == 0

    def __iter__(self):
        if self.full:
            yield from self.data[self.index:]
        yield from self.data[:self.index]

    def __len__(self):
        return self.size if self.full else self.index

    def __getitem__(self, i):
        return list(self)[i]

    @property
    def mean(self):
        return sum(self) / len(self) if self else None

rb = RingBuffer(3)
print(rb.mean, list(rb), len(rb))
for x in range(1, 6):
    rb.append(x * 1.5)
    print(list(rb), f"{rb.mean:.2f}", rb[0], rb[-1], rb[:2], x * 1.5 in rb)
print(min(rb), max(rb), sorted(rb, reverse=True), [*reversed(list(rb))])

# %% text statistics class with cached properties
from functools import cached_property
import re

class Text:
    def __init__(self, raw):
        self.raw = raw

    @cached_property
    def words(self):
        print("(tokenizing)")
        return re.findall(r"\w+", self.raw.lower())

    @cached_property
    def frequencies(self):
        freq = {}
        for w in self.words:
            freq[w] = freq.get(w, 0) + 1
        return freq

    def top(self, n=3):
        return sorted(self.frequencies.items(), key=lambda kv: (-kv[1], kv[0]))[:n]

    @property
    def readability(self):
        sentences = [s for s in re.split(r"[.!?]", self.raw) if s.strip()]
        return len(self.words) / len(sentences)

t = Text("The cat sat. The dog ran! Did the cat run?")
print(t.top(), t.top(1), f"{t.readability:.2f}")
print(len(t.words), "words" in t.__dict__)

# %% simple dependency injection and callbacks by string name
class Calculator:
    ops = ("add", "sub", "mul", "div")

    def add(self, a, b): return a + b
    def sub(self, a, b): return a - b
    def mul(self, a, b): return a * b
    def div(self, a, b):
        if b == 0:
            raise ZeroDivisionError("cannot divide by zero")
        return a / b

    def run(self, line):
        name, *nums = line.split()
        method = getattr(self, name, None)
        if method is None or name not in self.ops:
            return f"unknown operation: {name}"
        try:
            return method(*map(float, nums))
        except (TypeError, ZeroDivisionError, ValueError) as e:
            return f"{type(e).__name__}"

calc = Calculator()
for line in ["add 1 2", "div 1 0", "pow 2 3", "mul 2", "sub 5 x", "run 1 2", "div 7 2"]:
    print(f"{line:<8} -> {calc.run(line)}")
print([op for op in calc.ops if hasattr(calc, op)], callable(getattr(calc, "add")))

# %% memory allocator and bitmap
class Bitmap:
    def __init__(self, n):
        self.n, self.bits = n, 0

    def __getitem__(self, i):
        if not 0 <= i < self.n:
            raise IndexError(i)
        return bool(self.bits >> i & 1)

    def __setitem__(self, i, value):
        if value:
            self.bits |= 1 << i
        else:
            self.bits &= ~(1 << i)

    def __len__(self):
        return self.n

    def __str__(self):
        return "".join("#" if b else "." for b in self)

    def find_free(self, k):
        run = 0
        for i in range(len(self)):
            run = 0 if self[i] else run + 1
            if run == k:
                return i - k + 1
        return None

bm = Bitmap(12)
def alloc(k):
    at = bm.find_free(k)
    if at is None:
        return None
    for i in range(at, at + k):
        bm[i] = True
    return at
print(alloc(3), alloc(5), bm)
for i in range(0, 3):
    bm[i] = False
print(bm, alloc(4), alloc(2), bm, bin(bm.bits), sum(bm), list(bm)[:3])
try:
    bm[99]
except IndexError as e:
    print("IndexError", e, e.args)

# %% priority queue with custom comparison and lazy deletion
import heapq
import itertools

class Task:
    def __init__(self, priority, name):
        self.priority = priority
        self.name = name

    def __lt__(self, other):
        return self.priority < other.priority

    def __repr__(self):
        return f"<{self.name}:{self.priority}>"

class TaskQueue:
    REMOVED = "<removed>"

    def __init__(self):
        self.heap, self.entries, self.counter = [], {}, itertools.count()

    def add(self, name, priority=0):
        if name in self.entries:
            self.remove(name)
        entry = [priority, next(self.counter), name]
        self.entries[name] = entry
        heapq.heappush(self.heap, entry)

    def remove(self, name):
        self.entries.pop(name)[-1] = self.REMOVED

    def pop(self):
        while self.heap:
            priority, _, name = heapq.heappop(self.heap)
            if name is not self.REMOVED:
                del self.entries[name]
                return name
        raise KeyError("pop from an empty priority queue")

q = TaskQueue()
q.add("write", 5); q.add("code", 1); q.add("test", 3); q.add("write", 0)
q.remove("test")
print(q.pop(), q.pop())
try:
    q.pop()
except KeyError as e:
    print(e)
try:
    q.remove("zzz")
except KeyError as e:
    print("KeyError", e)
h = [Task(3, "c"), Task(1, "a"), Task(2, "b")]
heapq.heapify(h)
heapq.heappush(h, Task(0, "z"))
print([heapq.heappop(h) for _ in range(len(h))], heapq.nsmallest(2, [5, 1, 4]), heapq.nlargest(1, ["bb", "a"], key=len))
print(list(heapq.merge([1, 4], [2, 3])), heapq.heappushpop([2, 3], 1), sorted([Task(2, "x"), Task(1, "y")]))

# %% dates in reports and recurring events
from datetime import date, datetime, timedelta, time

def occurrences(start, every_days, count, skip_weekends=True):
    d = start
    while count:
        if not (skip_weekends and d.weekday() >= 5):
            yield d
            count -= 1
        d += timedelta(days=every_days)

for i, d in enumerate(occurrences(date(2024, 2, 23), 1, 4), 1):
    print(f"{i}. {d:%a %d.%m.%y} (week {d.isocalendar()[1]}, day {d.strftime('%j')})")
shift = (time(22, 30), time(6, 15))
def duration(a, b):
    base = date(2024, 1, 1)
    x, y = datetime.combine(base, a), datetime.combine(base, b)
    if y <= x:
        y += timedelta(days=1)
    return y - x
worked = duration(*shift)
print(worked, worked.seconds // 3600, f"{worked.total_seconds() / 3600:.2f}h", worked > timedelta(hours=7), -worked, abs(-worked) == worked)
print(max(date(2024, 1, 1), date(2023, 12, 31)), date(2024, 3, 1) - date(2024, 2, 1), date.min, datetime(2024, 1, 1) + timedelta(days=1.5))
print(sorted([timedelta(hours=1), timedelta(minutes=5)]), sum([timedelta(hours=1), timedelta(minutes=5)], timedelta()), timedelta(days=2, hours=3).days)
print(date(2024, 1, 31).strftime("%B %-d, %Y"), datetime(2024, 1, 1, 15).strftime("%-I%p").lower(), repr(date(2024, 1, 2)), repr(timedelta(days=1, hours=2)), time(9, 5).isoformat(), time(9, 5).strftime("%H.%M"))
for bad in ("2024-02-30", "nope"):
    try:
        date.fromisoformat(bad)
    except ValueError as e:
        print("ValueError")

# %% dispatch on types with singledispatch and isinstance
from functools import singledispatch

@singledispatch
def describe(x):
    return f"something {x!r}"

@describe.register
def _(x: int):
    return f"int {x}"

@describe.register(list)
def _(x):
    return "list of " + ", ".join(describe(i) for i in x)

@describe.register(str)
def describe_str(x):
    return f"text {x!r}"

print(describe(3), describe([1, "a", 2.5]), describe(None), describe(True))

def kind(x):
    if isinstance(x, bool):
        return "bool"
    elif isinstance(x, (int, float)):
        return "number"
    elif isinstance(x, (list, tuple, set)):
        return f"{type(x).__name__}[{len(x)}]"
    elif callable(x):
        return "callable"
    return type(x).__name__

print([kind(x) for x in (True, 1, 2.0, [1], (1, 2), {3}, len, lambda: 0, None, {}, "s", b"", range(3), int)])

# %% swapping, slicing and star patterns in exercises
def rotate(xs, k):
    k %= len(xs)
    return xs[-k:] + xs[:-k] if k else xs[:]

def chunk(xs, n):
    return [xs[i:i + n] for i in range(0, len(xs), n)]

def dedupe(xs):
    seen = set()
    return [x for x in xs if not (x in seen or seen.add(x))]

def second_largest(xs):
    a = b = float("-inf")
    for x in xs:
        if x > a:
            a, b = x, a
        elif a > x > b:
            b = x
    return b

def missing(xs, n):
    return n * (n + 1) // 2 - sum(xs)

def transpose(text):
    rows = text.split("\n")
    width = max(map(len, rows))
    return "\n".join("".join(c).rstrip() for c in zip(*(r.ljust(width) for r in rows)))

xs = list(range(1, 8))
print(rotate(xs, 3), rotate(xs, -1), rotate(xs, 7), chunk(xs, 3), dedupe([3, 1, 3, 2, 1]), second_largest([5, 1, 5, 4]), missing([1, 2, 4], 4))
print(transpose("abc\nde\nf"), xs[::-2], xs[-3:], xs[:-3], xs[10:], xs[2:2], xs[5:1:-1])
xs[2:4] = ["a", "b", "c"]
xs[::3] = [0] * len(xs[::3])
print(xs, xs.index("b"), xs.count(0))
ys = xs
zs = xs[:]
ys += [99]
zs.append(-1)
print(xs is ys, len(xs), len(zs), xs == ys)
grid = [[0] * 3] * 2
grid[0][0] = 1
print(grid)
m = {(0, 0): "a", (0, 1): "b"}
print({k[::-1]: v for k, v in m.items()}, min(m), sorted(m.values(), reverse=True), "a" in m.values())
print(list("hello")[1:4], "hello"[::-1], "a-b-c".rsplit("-", 1), "x=1;y=2".split(";"), dict(p.split("=") for p in "x=1;y=2".split(";")))
# %% functions registered by annotation
import functools
import math
from functools import singledispatch

@functools.singledispatch
def area(shape):
    raise NotImplementedError(f"no area for {type(shape).__name__}")

class Circle:
    def __init__(self, r): self.r = r

class Registry:
    def __init__(self): self.items = {}
    def register(self, f):
        self.items[f.__name__] = f
        return f

registry = Registry()

@area.register
def _(shape: Circle) -> float:
    return math.pi * shape.r ** 2

@area.register
def _(s: float):
    return s * s

@registry.register
def plain(x: int):
    return x + 1

print(f"{area(Circle(1)):.3f}", area(2.0), registry.items["plain"](2))
try:
    area("x")
except NotImplementedError as e:
    print(e)
# %% wrapper that hands on builtin methods
class Wrapper:
    def __init__(self, o):
        self._o = o
    def __getattr__(self, name):
        return getattr(self._o, name)
import re, json
w = Wrapper("hello world")
d = {"a": 1}
xs = [3, 1]
xs.append(2)
xs.sort(key=lambda x: -x)
print(w.upper(), w.split(" "), w.count("o"), d.get("a"), d.items(), xs, " ".join(xs and ["a"]), w.title())
for k, v in d.items():
    print(k, v)
d.update(b=2)
d.setdefault("c", []).append(1)
print(d, sorted(d.keys()), list(d.values()), re.sub("a", "b", "aa"), json.dumps(d))
lst = Wrapper([1, 2])
lst.extend([3])
print(lst.index(3), lst._o, lst.pop())
try:
    w.nothing()
except AttributeError as e:
    print(e)
try:
    xs.nothing()
except AttributeError as e:
    print(e)
try:
    d.pop("zz")
except KeyError as e:
    print(e)
text = "a,b"
print(text.split(","), [t.strip().upper() for t in text.split(",")], text.replace("a", "x").format())
