# %% read the csv block with DictReader
import csv
import io

block = context.split("=== orders.csv ===\n")[1].split("\n\n")[0]
rows = list(csv.DictReader(io.StringIO(block)))
print(len(rows), "rows; columns:", list(rows[0]))
for r in rows[5:6] + rows[9:10]:
    print(r["product"], "|", r["qty"], "|", r["unit_price"])
missing = [r["order_id"] for r in rows if not r["qty"]]
missing

# %% revenue per region with totals line
import csv, io

lines = context.split("=== orders.csv ===\n")[1].split("\n\n")[0].splitlines()
revenue = {}
for r in csv.DictReader(lines):
    qty = int(r["qty"] or 0)
    revenue[r["region"]] = revenue.get(r["region"], 0.0) + qty * float(r["unit_price"])

print(f"{'region':<10}{'revenue':>12}{'share':>9}")
grand = sum(revenue.values())
for region, amount in sorted(revenue.items(), key=lambda kv: kv[1], reverse=True):
    print(f"{region:<10}{amount:>12,.2f}{amount / grand:>9.1%}")
print(f"{'TOTAL':<10}{grand:>12,.2f}{1:>9.1%}")

# %% inner join of two small tables
employees = [
    {"id": 1, "name": "Ada", "dept": 10},
    {"id": 2, "name": "Bo", "dept": 20},
    {"id": 3, "name": "Cy", "dept": 99},
    {"id": 4, "name": "Di", "dept": 10},
]
departments = [{"dept": 10, "title": "Ops"}, {"dept": 20, "title": "Lab"}, {"dept": 30, "title": "Art"}]

by_dept = {d["dept"]: d for d in departments}
inner = [{**e, **by_dept[e["dept"]]} for e in employees if e["dept"] in by_dept]
left = [{**e, "title": by_dept.get(e["dept"], {}).get("title")} for e in employees]
anti = [d["title"] for d in departments if all(e["dept"] != d["dept"] for e in employees)]
for row in inner:
    print(row)
print([row["title"] for row in left])
anti

# %% generic join function with how argument
def join(left, right, on, how="inner"):
    """Join two lists of dicts on a key column."""
    if how not in {"inner", "left", "outer"}:
        raise ValueError(f"unknown join type: {how!r}")
    buckets = {}
    for r in right:
        buckets.setdefault(r[on], []).append(r)
    out, used = [], set()
    for l in left:
        matches = buckets.get(l[on])
        if matches:
            used.add(l[on])
            out.extend({**l, **m} for m in matches)
        elif how != "inner":
            out.append(dict(l))
    if how == "outer":
        out += [dict(r) for k, rs in buckets.items() if k not in used for r in rs]
    return out

a = [{"k": 1, "x": "a"}, {"k": 2, "x": "b"}, {"k": 2, "x": "c"}]
b = [{"k": 2, "y": True}, {"k": 3, "y": False}]
for how in ("inner", "left", "outer"):
    print(how, join(a, b, "k", how))
try:
    join(a, b, on="k", how="cross")
except ValueError as e:
    print(type(e).__name__, e)

# %% pivot table of units by region and product
import csv
from collections import defaultdict

raw = context[context.find("order_id,"):context.find("=== events")].strip()
cells = defaultdict(int)
for rec in csv.DictReader(raw.splitlines()):
    cells[rec["region"], rec["product"]] += int(rec["qty"]) if rec["qty"].isdigit() else 0

regions = sorted({r for r, _ in cells})
products = sorted({p for _, p in cells})
print(" " * 14 + "".join(f"{r:>7}" for r in regions))
for p in products:
    print(f"{p:<14}" + "".join(f"{cells.get((r, p), '-'):>7}" for r in regions))
sum(cells.values())

# %% running totals and moving averages
from itertools import accumulate

daily = [("mon", 12), ("tue", 18), ("wed", 7), ("thu", 25), ("fri", 31), ("sat", 4)]
amounts = [n for _, n in daily]
running = list(accumulate(amounts))
best = list(accumulate(amounts, max))

def moving(xs, k):
    return [sum(xs[max(0, i - k + 1):i + 1]) / len(xs[max(0, i - k + 1):i + 1]) for i in range(len(xs))]

for (day, n), tot, hi, ma in zip(daily, running, best, moving(amounts, 3)):
    print(f"{day} {n:>3} {tot:>4} {hi:>3} {ma:>6.2f}")
[round(b / a - 1, 3) for a, b in zip(amounts, amounts[1:])]

# %% rank, dense rank and row number
scores = [("ada", 90), ("bo", 85), ("cy", 90), ("di", 70), ("eli", 85), ("fay", 60)]
ordered = sorted(scores, key=lambda s: (-s[1], s[0]))

rank = dense = 0
prev = None
for row_number, (name, score) in enumerate(ordered, start=1):
    if score != prev:
        rank, dense, prev = row_number, dense + 1, score
    print(f"{row_number} {rank} {dense} {name:<4}{score:>4}")
medals = dict(zip(("gold", "silver", "bronze"), (n for n, _ in ordered)))
medals

# %% group by with several aggregates
from itertools import groupby
from operator import itemgetter
from statistics import fmean

sales = [
    ("north", "lamp", 3, 20.0), ("south", "desk", 1, 149.0), ("north", "desk", 2, 140.0),
    ("east", "lamp", 5, 19.0), ("south", "lamp", 2, 21.0), ("north", "lamp", 1, 22.5),
]
aggs = {
    "n": len,
    "units": lambda g: sum(x[2] for x in g),
    "avg_price": lambda g: round(fmean(x[3] for x in g), 2),
    "products": lambda g: sorted({x[1] for x in g}),
}
result = {}
for region, grp in groupby(sorted(sales, key=itemgetter(0)), key=itemgetter(0)):
    grp = list(grp)
    result[region] = {name: fn(grp) for name, fn in aggs.items()}
for region, row in result.items():
    print(region, row)

# %% transpose, ragged rows and zip strict
from itertools import zip_longest

m = [[1, 2, 3], [4, 5, 6]]
print([list(c) for c in zip(*m)])
print(list(map(list, zip(*m[::-1]))))
ragged = [["a"], ["b", "c"], ["d", "e", "f"]]
print(list(zip(*ragged)))
print(list(zip_longest(*ragged, fillvalue=".")))
try:
    list(zip(*ragged, strict=True))
except ValueError as e:
    print("ValueError:", e)
list(zip(m[0], m[1], strict=True))

# %% dedupe rows keeping first, last or counting
rows = [
    {"email": "Ada@example.org", "ts": 3},
    {"email": "bo@example.org ", "ts": 1},
    {"email": "ada@example.org", "ts": 9},
    {"email": "BO@EXAMPLE.ORG", "ts": 4},
]
key = lambda r: r["email"].strip().lower()
last = {key(r): r for r in rows}
first = {}
for r in rows:
    first.setdefault(key(r), r)
print([r["ts"] for r in first.values()], [r["ts"] for r in last.values()])

seen = set()
unique = [r for r in rows if not (key(r) in seen or seen.add(key(r)))]
print(len(unique), sorted(seen))
newest = {k: max((r for r in rows if key(r) == k), key=lambda r: r["ts"])["ts"] for k in seen}
dict(sorted(newest.items()))

# %% matrix operations without numpy
def matmul(a, b):
    if len(a[0]) != len(b):
        raise ValueError(f"shape mismatch: {len(a)}x{len(a[0])} @ {len(b)}x{len(b[0])}")
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]

def det(m):
    if len(m) == 1:
        return m[0][0]
    return sum((-1) ** j * m[0][j] * det([r[:j] + r[j + 1:] for r in m[1:]]) for j in range(len(m)))

A = [[2, 0, 1], [1, 3, 2], [1, 1, 4]]
I = [[int(i == j) for j in range(3)] for i in range(3)]
print(matmul(A, I) == A, det(A))
for row in matmul(A, A):
    print(" ".join(f"{x:4d}" for x in row))
matmul(A, [[1, 2]])

# %% write csv to a string buffer
import csv
import io

buf = io.StringIO()
w = csv.writer(buf)
w.writerow(["name", "quote", "n"])
w.writerows([["Ada", 'she said "hi"', 1], ["Bo", "a, b", 2.5], ["Cy", "two\nlines", None]])
text = buf.getvalue()
print(repr(text))
back = list(csv.reader(io.StringIO(text)))
print(back)

out = io.StringIO()
d = csv.DictWriter(out, fieldnames=["id", "v"], delimiter=";", lineterminator="\n")
d.writeheader()
d.writerow({"id": 1, "v": "x;y"})
try:
    d.writerow({"id": 2, "w": 0})
except ValueError as e:
    print("ValueError:", e)
out.getvalue()

# %% lag and lead with self joins
prices = {"2024-03-08": 10.0, "2024-03-09": 10.5, "2024-03-11": 9.8, "2024-03-12": 11.2}
days = sorted(prices)
rows = []
for prev, day, nxt in zip([None] + days, days, days[1:] + [None]):
    change = None if prev is None else prices[day] - prices[prev]
    rows.append((day, prices[day], change, prices.get(nxt)))

for day, p, change, lead in rows:
    delta = "   n/a" if change is None else f"{change:+6.2f}"
    print(day, f"{p:5.1f}", delta, lead)
up = sum(1 for _, _, c, _ in rows if c and c > 0)
print("up days:", up, "of", len([r for r in rows if r[2] is not None]))

# %% top n per group and ties
from collections import defaultdict
import heapq

orders = [("ada", 40), ("bo", 149), ("ada", 149), ("cy", 182), ("cy", 20), ("ada", 88), ("bo", 97), ("bo", 97)]
groups: dict[str, list[int]] = defaultdict(list)
for who, amount in orders:
    groups[who].append(amount)
for who in sorted(groups):
    print(f"{who:>4}: {heapq.nlargest(2, groups[who])} lowest {heapq.nsmallest(1, groups[who])}")
flat = sorted(((a, w) for w, xs in groups.items() for a in xs), key=lambda t: (-t[0], t[1]))
flat[:3]

# %% join the auth log with the orders by first name
import csv
import re

logins = {}
for user, ip in re.findall(r"Accepted \w+ for (\w+) from (\S+)", context):
    logins.setdefault(user, set()).add(ip)
http_users = re.findall(r"^(\S+) - ([a-z]+) \[", context, re.M)
seen = {}
for ip, user in http_users:
    seen.setdefault(user, []).append(ip)

print(f"{'user':<8} {'ssh':<12} {'http':<12} {'requests':>8}")
for user in sorted(set(logins) | set(seen)):
    ssh = ",".join(sorted(logins.get(user, ())))
    web = ",".join(sorted(set(seen.get(user, []))))
    print(f"{user:<8} {ssh or '-':<12} {web or '-':<12} {len(seen.get(user, [])):>8}")
set(logins) - set(seen)

# %% binning values into classes with bisect
from bisect import bisect_right

edges = [18, 30, 45, 65]
labels = ["<18", "18-29", "30-44", "45-64", "65+"]
ages = [17, 18, 29, 30, 44, 45, 64, 65, 101]
table = {lab: [] for lab in labels}
for a in ages:
    table[labels[bisect_right(edges, a)]].append(a)
for lab, members in table.items():
    print(f"{lab:>6} {len(members)} {members}")
empty = [lab for lab in table if not table[lab]]
print(empty or "no empty bins")
labels[bisect_right(edges, 200)], labels[bisect_right(edges, -1)]

# %% cumulative share and pareto rows
items = {"desk": 447.0, "chair": 361.0, "lamp": 230.5, "shelf": 96.75, "rug": 88.0, "pen": 3.2}
total = sum(items.values())
acc = 0.0
cutoff = None
for i, (name, v) in enumerate(sorted(items.items(), key=lambda t: t[1], reverse=True), 1):
    acc += v
    mark = ""
    if cutoff is None and acc / total >= 0.8:
        cutoff, mark = i, "<- 80%"
    print(f"{i}. {name:<6}{v:>8.2f}{acc / total:>8.1%} {mark}".rstrip())
f"{cutoff} of {len(items)} items make 80%"

# %% wide to long and long to wide
wide = [{"city": "Vale", "2022": 5, "2023": 7}, {"city": "Nib", "2022": 1, "2023": None}]
long = [(r["city"], int(y), v) for r in wide for y, v in r.items() if y != "city" and v is not None]
print(long)
rebuilt = {}
for city, year, v in long:
    rebuilt.setdefault(city, {"city": city})[str(year)] = v
print(list(rebuilt.values()))
years = sorted({y for _, y, _ in long})
print("city | " + " | ".join(map(str, years)))
for c, row in rebuilt.items():
    print(c.ljust(4), "|", " | ".join(str(row.get(str(y), "")).rjust(4) for y in years))

# %% unknown column gives a key error
table = [{"id": 1, "qty": "3"}, {"id": 2, "qty": "x"}, {"id": 3}]

def column(rows, name, cast=str, default=...):
    out = []
    for i, r in enumerate(rows):
        try:
            out.append(cast(r[name]))
        except (ValueError, KeyError) as e:
            if default is ...:
                raise KeyError(name, i) from e
            out.append(default)
    return out

print(column(table, "id", int))
print(column(table, "qty", int, default=0))
try:
    column(table, "qty", int)
except KeyError as e:
    print(e.args, repr(e), repr(e.__cause__))
column(table, "price")

# %% gantt style text table with dates
from datetime import date, timedelta

tasks = [("survey", date(2024, 2, 27), 3), ("build", date(2024, 2, 29), 4), ("paint", date(2024, 3, 4), 1)]
start = min(t[1] for t in tasks)
end = max(t[1] + timedelta(days=t[2]) for t in tasks)
print("days:", (end - start).days, "from", start, "weekday", start.strftime("%a"))
for name, begin, length in tasks:
    offset = (begin - start).days
    print(f"{name:<8}{' ' * offset}{'#' * length}{'.' * ((end - start).days - offset - length)}|")
overlap = [(a[0], b[0]) for a, b in zip(tasks, tasks[1:]) if a[1] + timedelta(a[2]) > b[1]]
overlap
