# %% revenue by customer and region
import csv
import io
from collections import defaultdict

section = context.split("=== orders.csv ===")[1].split("===")[0].strip()
reader = csv.DictReader(io.StringIO(section))
revenue = defaultdict(float)
by_region = defaultdict(lambda: {"orders": 0, "revenue": 0.0})
skipped = []
for row in reader:
    try:
        amount = int(row["qty"]) * float(row["unit_price"])
    except ValueError:
        skipped.append(row["order_id"])
        continue
    revenue[row["customer"]] += amount
    by_region[row["region"]]["orders"] += 1
    by_region[row["region"]]["revenue"] += amount

for customer, total in sorted(revenue.items(), key=lambda x: x[1], reverse=True):
    print(f"{customer:<10} {total:>10,.2f}")
for region in sorted(by_region):
    print(region, by_region[region])
print("skipped:", skipped)

# %% inner and left join
customers = [
    {"id": 1, "name": "Ada", "tier": "gold"},
    {"id": 2, "name": "Bo", "tier": "silver"},
    {"id": 3, "name": "Cy", "tier": "gold"},
]
orders = [
    {"order": 10, "customer_id": 1, "total": 50.0},
    {"order": 11, "customer_id": 3, "total": 20.0},
    {"order": 12, "customer_id": 1, "total": 5.5},
    {"order": 13, "customer_id": 8, "total": 1.0},
]

def join(left, right, left_key, right_key, how="inner"):
    index = {}
    for r in right:
        index.setdefault(r[right_key], []).append(r)
    right_cols = [c for c in right[0] if c != right_key]
    for l in left:
        matches = index.get(l[left_key], [])
        for r in matches:
            yield {**l, **{c: r[c] for c in right_cols}}
        if not matches and how == "left":
            yield {**l, **dict.fromkeys(right_cols)}

for how in ("inner", "left"):
    print(how)
    for row in join(orders, customers, "customer_id", "id", how=how):
        print("  ", row)
print(list(join(customers, orders, "id", "customer_id"))[0])

# %% pivot table
import csv
from collections import defaultdict

data = """date,store,product,units
2024-01-01,A,apple,5
2024-01-01,B,apple,3
2024-01-02,A,pear,2
2024-01-02,B,apple,7
2024-02-01,A,apple,1
2024-02-03,B,pear,4"""

rows = list(csv.DictReader(data.splitlines()))
pivot = defaultdict(lambda: defaultdict(int))
for r in rows:
    month = r["date"][:7]
    pivot[r["product"]][month] += int(r["units"])
months = sorted({r["date"][:7] for r in rows})
print("product".ljust(10), *(m.rjust(8) for m in months), "total".rjust(8))
for product in sorted(pivot):
    vals = [pivot[product].get(m, 0) for m in months]
    print(product.ljust(10), *(str(v).rjust(8) for v in vals), str(sum(vals)).rjust(8))
print({p: dict(v) for p, v in pivot.items()})

# %% mini data frame class
class Table:
    def __init__(self, rows):
        self.rows = [dict(r) for r in rows]

    def where(self, predicate):
        return Table(r for r in self.rows if predicate(r))

    def select(self, *columns):
        return Table({c: r[c] for c in columns} for r in self.rows)

    def order_by(self, key, reverse=False):
        return Table(sorted(self.rows, key=lambda r: r[key], reverse=reverse))

    def group_by(self, key, **aggs):
        groups = {}
        for r in self.rows:
            groups.setdefault(r[key], []).append(r)
        return Table({key: k, **{name: fn(g) for name, fn in aggs.items()}} for k, g in groups.items())

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)

    def __str__(self):
        if not self.rows:
            return "(empty)"
        cols = list(self.rows[0])
        widths = {c: max(len(c), *(len(str(r[c])) for r in self.rows)) for c in cols}
        head = "  ".join(c.ljust(widths[c]) for c in cols)
        body = ["  ".join(str(r[c]).ljust(widths[c]) for c in cols) for r in self.rows]
        return "\n".join([head, "-" * len(head), *body])

t = Table([
    {"name": "Ada", "dept": "eng", "pay": 120},
    {"name": "Bo", "dept": "ops", "pay": 90},
    {"name": "Cy", "dept": "eng", "pay": 100},
    {"name": "Di", "dept": "hr", "pay": 80},
])
print(t.where(lambda r: r["pay"] >= 90).order_by("pay", reverse=True).select("name", "pay"))
print()
print(t.group_by("dept", n=len, avg=lambda g: sum(r["pay"] for r in g) / len(g)))
print(len(t), [r["name"] for r in t], t.where(lambda r: False))

# %% typed csv loading
import csv
import io
from datetime import date, datetime

def parse_value(v):
    v = v.strip()
    if v == "":
        return None
    for cast in (int, float):
        try:
            return cast(v)
        except ValueError:
            pass
    try:
        return datetime.strptime(v, "%Y-%m-%d").date()
    except ValueError:
        return v

text = context[context.index("order_id,"):context.index("=== events")]
rows = [{k: parse_value(v) for k, v in row.items()} for row in csv.DictReader(io.StringIO(text.strip()))]
for row in rows[-4:]:
    print(row)
types = {k: sorted({type(r[k]).__name__ for r in rows}) for k in rows[0]}
print(types)
latest = max(r["date"] for r in rows)
print(latest, sum(1 for r in rows if r["date"] == latest), (latest - date(2024, 3, 1)).days)

# %% order lines as dataclass
import csv
import io
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal, ROUND_HALF_UP

@dataclass(frozen=True)
class OrderLine:
    order_id: int
    customer: str
    product: str
    qty: int
    unit_price: Decimal

    @property
    def total(self) -> Decimal:
        return self.qty * self.unit_price

    @classmethod
    def from_row(cls, row):
        return cls(int(row["order_id"]), row["customer"], row["product"], int(row["qty"] or 0), Decimal(row["unit_price"]))

text = context.split("=== orders.csv ===\n")[1].split("\n\n")[0]
lines = [OrderLine.from_row(r) for r in csv.DictReader(io.StringIO(text))]
per_product = defaultdict(Decimal)
for l in lines:
    per_product[l.product] += l.total
for product, total in sorted(per_product.items(), key=lambda kv: (-kv[1], kv[0])):
    vat = (total * Decimal("0.25")).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    print(f"{product:<12} {total:>9} + {vat:>8} VAT")
print(lines[0])
print(max(lines, key=lambda l: l.total).order_id, sum(l.total for l in lines))

# %% running totals and ranks
from itertools import accumulate, groupby

sales = [("2024-01", "A", 10), ("2024-01", "B", 30), ("2024-02", "A", 25), ("2024-02", "B", 5), ("2024-03", "A", 15), ("2024-03", "B", 40)]
by_store = {}
for month, store, amount in sales:
    by_store.setdefault(store, []).append((month, amount))
for store, entries in by_store.items():
    cumulative = list(accumulate(a for _, a in entries))
    best = list(accumulate((a for _, a in entries), max))
    for (month, a), c, b in zip(entries, cumulative, best):
        print(f"{store} {month} {a:>4} cum={c:>4} best={b}")
for month, group in groupby(sales, key=lambda s: s[0]):
    ranked = sorted(group, key=lambda s: s[2], reverse=True)
    print(month, [f"{i}. {s} ({a})" for i, (_, s, a) in enumerate(ranked, 1)])

# %% group by with several aggregates
from collections import defaultdict
from statistics import mean, median

rows = [
    dict(city="Oslo", year=2022, temp=5.5, rain=60),
    dict(city="Oslo", year=2023, temp=6.1, rain=75),
    dict(city="Rome", year=2022, temp=16.2, rain=30),
    dict(city="Rome", year=2023, temp=17.0, rain=None),
    dict(city="Lima", year=2023, temp=19.5, rain=1),
]

AGGS = {"count": len, "min": min, "max": max, "mean": mean, "median": median}

def aggregate(rows, by, column, aggs):
    groups = defaultdict(list)
    for r in rows:
        if r[column] is not None:
            groups[r[by]].append(r[column])
    return {k: {a: round(AGGS[a](v), 2) for a in aggs} for k, v in groups.items()}

for column in ("temp", "rain"):
    print(column.upper())
    for city, values in sorted(aggregate(rows, "city", column, ["count", "min", "max", "mean"]).items()):
        print(f"  {city}: " + " ".join(f"{k}={v}" for k, v in values.items()))

# %% fill missing and outliers
import csv
import statistics

text = """day,value
1,10.5
2,
3,11.0
4,98.0
5,N/A
6,10.0
7,12.5
8,9.5"""

rows = list(csv.DictReader(text.split("\n")))
values = []
for r in rows:
    try:
        values.append(float(r["value"]))
    except ValueError:
        values.append(None)
known = [v for v in values if v is not None]
med = statistics.median(known)
mad = statistics.median(abs(v - med) for v in known)
clean = []
for v in values:
    if v is None:
        clean.append(med)
    elif abs(v - med) > 5 * mad:
        print(f"outlier: {v}")
        clean.append(med)
    else:
        clean.append(v)
print(clean, med, mad)
moving = [round(sum(clean[max(0, i - 2):i + 1]) / len(clean[max(0, i - 2):i + 1]), 2) for i in range(len(clean))]
print(moving)
q = statistics.quantiles(known, n=4)
print([round(x, 3) for x in q], f"{statistics.pstdev(clean):.4f}")

# %% multi key sort
employees = [
    ("Ann", "eng", 5, 90.0), ("Bob", "eng", 3, 95.0), ("Cat", "ops", 5, 70.0),
    ("Dan", "ops", 1, 70.0), ("Eve", "eng", 5, 99.5), ("Fox", "hr", 2, 60.0),
]
for name, dept, years, pay in sorted(employees, key=lambda e: (e[1], -e[2], -e[3])):
    print(f"{dept:<4}{name:<5}{years:>2}y {pay:>7.1f}")

from operator import itemgetter
rows = sorted(employees, key=itemgetter(0))
rows.sort(key=itemgetter(1), reverse=True)
print([r[0] for r in rows])
top_per_dept = {}
for e in sorted(employees, key=itemgetter(3)):
    top_per_dept[e[1]] = e[0]
print(top_per_dept)
names, depts, *_ = zip(*employees)
print(names, sorted(set(depts)))

# %% tsv with header mapping
RAW = "Emp ID\tFull Name\tStart Date\tSalary (USD)\n7\tAda Lind\t2020-01-15\t$98,000\n9\tBo Hart\t2019-07-01\t$87,500\n\n12\tCy Moor\t\t$64,250\n"

import re

def clean_header(h):
    h = re.sub(r"\(.*?\)", "", h).strip().lower()
    return re.sub(r"\W+", "_", h)

header, *lines = RAW.strip().split("\n")
columns = [clean_header(h) for h in header.split("\t")]
records = []
for line in lines:
    if not line.strip():
        continue
    rec = dict(zip(columns, line.split("\t")))
    rec["emp_id"] = int(rec["emp_id"])
    rec["salary"] = int(rec["salary"].replace("$", "").replace(",", ""))
    rec["start_date"] = rec["start_date"] or None
    records.append(rec)
print(columns)
for r in records:
    print(r)
print(f"Average salary: ${sum(r['salary'] for r in records) / len(records):,.2f}")
print("Missing start:", [r["full_name"] for r in records if r["start_date"] is None])

# %% cross tabulation with percentages
from collections import Counter

responses = [("yes", "18-29"), ("no", "18-29"), ("yes", "30-49"), ("yes", "30-49"), ("no", "50+"), ("maybe", "50+"), ("yes", "18-29"), ("no", "50+")]
table = Counter(responses)
answers = sorted({a for a, _ in responses})
ages = sorted({g for _, g in responses})
col_totals = Counter(g for _, g in responses)
print(f"{'':<8}" + "".join(f"{g:>16}" for g in ages))
for a in answers:
    cells = []
    for g in ages:
        n = table[(a, g)]
        cells.append(f"{n} ({n / col_totals[g]:.0%})")
    print(f"{a:<8}" + "".join(f"{c:>16}" for c in cells))
print(f"{'n':<8}" + "".join(f"{col_totals[g]:>16}" for g in ages))
mode, count = Counter(a for a, _ in responses).most_common(1)[0]
print(f"Mode: {mode} ({count}/{len(responses)})")

# %% quantiles into bands
from bisect import bisect_right
from collections import defaultdict

scores = {"ann": 91, "bob": 72, "cat": 85, "dan": 59, "eve": 100, "fox": 60, "gil": 79}
breaks = [60, 70, 80, 90]
grades = "FDCBA"
bands = defaultdict(list)
for name, s in scores.items():
    bands[grades[bisect_right(breaks, s)]].append(name)
for g in sorted(bands):
    print(g, ", ".join(sorted(bands[g], key=lambda n: -scores[n])))
ranked = sorted(scores, key=scores.get, reverse=True)
percentile = {n: round(100 * (len(ranked) - 1 - i) / (len(ranked) - 1), 1) for i, n in enumerate(ranked)}
print(percentile)
best, *middle, worst = ranked
print(best, len(middle), worst)

# %% three way join over csv texts
import csv
import io

STUDENTS = "sid,name\n1,Ann\n2,Bob\n3,Cat\n"
COURSES = "cid,title,credits\nM1,Maths,10\nP1,Physics,5\n"
ENROLMENTS = "sid,cid,grade\n1,M1,A\n1,P1,B\n2,M1,C\n9,M1,A\n2,X9,B\n"

def load(text, key=None):
    rows = list(csv.DictReader(io.StringIO(text)))
    return {r[key]: r for r in rows} if key else rows

students, courses, enrolments = load(STUDENTS, "sid"), load(COURSES, "cid"), load(ENROLMENTS)
POINTS = {"A": 4, "B": 3, "C": 2}
gpa = {}
for e in enrolments:
    try:
        student, course = students[e["sid"]], courses[e["cid"]]
    except KeyError as missing:
        print(f"dangling key {missing} in {e}")
        continue
    credits = int(course["credits"])
    points, total = gpa.get(student["name"], (0, 0))
    gpa[student["name"]] = (points + POINTS[e["grade"]] * credits, total + credits)
for name in (s["name"] for s in students.values()):
    points, credits = gpa.get(name, (0, 0))
    print(f"{name}: {points / credits:.2f} over {credits} credits" if credits else f"{name}: not enrolled")

# %% transpose and column statistics
matrix_text = """\
a;b;c
1,5;2;3
4;5,25;6
7;8;-9"""

header, *body = [line.split(";") for line in matrix_text.splitlines()]
matrix = [[float(x.replace(",", ".")) for x in row] for row in body]
columns = dict(zip(header, map(list, zip(*matrix))))
for name, col in columns.items():
    mean = sum(col) / len(col)
    var = sum((x - mean) ** 2 for x in col) / (len(col) - 1)
    print(f"{name}: mean={mean:.3f} sd={var ** 0.5:.3f} range=[{min(col):g}, {max(col):g}]")

def corr(x, y):
    mx, my = sum(x) / len(x), sum(y) / len(y)
    num = sum((a - mx) * (b - my) for a, b in zip(x, y))
    den = (sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y)) ** 0.5
    return num / den

pairs = [(p, q) for i, p in enumerate(header) for q in header[i + 1:]]
for p, q in pairs:
    print(f"corr({p},{q}) = {corr(columns[p], columns[q]):+.3f}")

# %% monthly report with dates
from datetime import date, timedelta
from collections import defaultdict
import calendar

start = date(2024, 1, 28)
readings = [(start + timedelta(days=3 * i), 10 + (i * 7) % 13) for i in range(20)]
monthly = defaultdict(list)
for d, v in readings:
    monthly[(d.year, d.month)].append(v)
for (y, m), vals in sorted(monthly.items()):
    days = calendar.monthrange(y, m)[1]
    print(f"{calendar.month_abbr[m]} {y}: n={len(vals):>2}/{days} sum={sum(vals):>3} avg={sum(vals) / len(vals):5.2f}")
weekdays = defaultdict(int)
for d, v in readings:
    weekdays[d.strftime("%a")] += v
print({k: weekdays[k] for k in sorted(weekdays, key=lambda k: -weekdays[k])})
print(readings[-1][0].isoformat(), readings[-1][0].isocalendar()[1])

# %% set based table comparison
old = """id,price
1,10
2,20
3,30"""
new = """id,price
2,20
3,35
4,40"""

def parse(text):
    header, *rows = text.split("\n")
    cols = header.split(",")
    return {r.split(",")[0]: dict(zip(cols, r.split(","))) for r in rows}

a, b = parse(old), parse(new)
added, removed = b.keys() - a.keys(), a.keys() - b.keys()
changed = {k for k in a.keys() & b.keys() if a[k] != b[k]}
print("added:", sorted(added))
print("removed:", sorted(removed))
for k in sorted(changed):
    delta = {c: (a[k][c], b[k][c]) for c in a[k] if a[k][c] != b[k][c]}
    print(f"changed {k}: " + ", ".join(f"{c} {x} -> {y}" for c, (x, y) in delta.items()))
assert len(added | removed | changed) == 3

# %% group with namedtuple key
from collections import namedtuple, defaultdict

Key = namedtuple("Key", "region product")
Sale = namedtuple("Sale", ["region", "product", "amount"])
sales = [Sale("n", "lamp", 5), Sale("s", "lamp", 7), Sale("n", "desk", 2), Sale("n", "lamp", 1)]
groups = defaultdict(list)
for s in sales:
    groups[Key(s.region, s.product)].append(s.amount)
for key in sorted(groups):
    amounts = groups[key]
    print(f"{key.region}/{key.product}: {sum(amounts)} ({len(amounts)})")
print(max(sales, key=lambda s: s.amount))
print(sales[0]._replace(amount=50), sales[0]._asdict())
region, product, amount = sales[1]
print(region, product, amount, Sale._fields)

# %% inventory ledger
class InsufficientStock(Exception):
    pass

class Inventory:
    def __init__(self):
        self.stock = {}
        self.log = []

    def receive(self, sku, qty, cost):
        have, avg = self.stock.get(sku, (0, 0.0))
        total = have + qty
        self.stock[sku] = (total, (have * avg + qty * cost) / total)
        self.log.append(("in", sku, qty))

    def ship(self, sku, qty):
        have, avg = self.stock.get(sku, (0, 0.0))
        if qty > have:
            raise InsufficientStock(f"{sku}: wanted {qty}, have {have}")
        self.stock[sku] = (have - qty, avg)
        self.log.append(("out", sku, qty))
        return qty * avg

    @property
    def value(self):
        return sum(q * c for q, c in self.stock.values())

inv = Inventory()
inv.receive("lamp", 10, 5.0)
inv.receive("lamp", 5, 8.0)
inv.receive("desk", 1, 100.0)
cogs = 0
for sku, qty in [("lamp", 6), ("desk", 2), ("rug", 1)]:
    try:
        cogs += inv.ship(sku, qty)
    except InsufficientStock as e:
        print("cannot ship", e)
print(f"value={inv.value:.2f} cogs={cogs:.2f} moves={len(inv.log)}")
for sku, (q, c) in sorted(inv.stock.items()):
    print(f"  {sku:<6}{q:>4} @ {c:.2f}")

# %% html table
import html

rows = [{"name": "R&D <core>", "n": 3}, {"name": 'the "lab"', "n": 12}]
def to_html(rows):
    cols = list(rows[0].keys())
    out = ["<table>", "  <tr>" + "".join(f"<th>{html.escape(c)}</th>" for c in cols) + "</tr>"]
    for r in rows:
        out.append("  <tr>" + "".join(f"<td>{html.escape(str(r[c]))}</td>" for c in cols) + "</tr>")
    out.append("</table>")
    return "\n".join(out)

text = to_html(rows)
print(text)
import re
back = [[html.unescape(c) for c in re.findall(r"<t[dh]>(.*?)</t[dh]>", tr)] for tr in re.findall(r"<tr>(.*?)</tr>", text)]
print(back)

# %% sql like query helper
import operator
import re

OPS = {"=": operator.eq, "!=": operator.ne, ">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le}

def query(rows, where=None, order=None, limit=None):
    if where:
        col, op, value = re.fullmatch(r"\s*(\w+)\s*(>=|<=|!=|=|>|<)\s*(.+?)\s*", where).groups()
        value = value.strip("'") if value.startswith("'") else float(value)
        rows = [r for r in rows if OPS[op](r[col], value)]
    if order:
        desc = order.startswith("-")
        rows = sorted(rows, key=operator.itemgetter(order.lstrip("-")), reverse=desc)
    return rows[:limit]

people = [{"name": n, "age": a, "city": c} for n, a, c in [("Ann", 34, "Oslo"), ("Bob", 27, "Rome"), ("Cat", 45, "Oslo"), ("Dan", 31, "Lima")]]
print(query(people, "age >= 31", order="-age"))
print(query(people, "city = 'Oslo'", limit=1))
print([p["name"] for p in query(people, "city != 'Oslo'", order="name")])
try:
    query(people, "nonsense")
except AttributeError:
    print("bad query")

# %% chain of transformations
from functools import reduce

def rename(mapping):
    return lambda rows: [{mapping.get(k, k): v for k, v in r.items()} for r in rows]

def add(name, fn):
    return lambda rows: [{**r, name: fn(r)} for r in rows]

def keep(pred):
    return lambda rows: [r for r in rows if pred(r)]

def pipe(rows, *steps):
    return reduce(lambda acc, step: step(acc), steps, rows)

rows = [{"p": "lamp", "q": 2, "u": 9.99}, {"p": "desk", "q": 0, "u": 100}, {"p": "rug", "q": 5, "u": 20}]
result = pipe(
    rows,
    rename({"p": "product", "q": "qty", "u": "unit"}),
    keep(lambda r: r["qty"] > 0),
    add("total", lambda r: round(r["qty"] * r["unit"], 2)),
    add("label", lambda r: f"{r['product'].title()} x{r['qty']}"),
)
for r in result:
    print(r)
print(f"Grand total: {sum(r['total'] for r in result):.2f}")

# %% csv writer with quoting
import csv
import io

rows = [["id", "text", "note"], [1, 'He said "hi"', None], [2, "a, b", "line1\nline2"], [3, "plain", 4.5]]
for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL):
    buf = io.StringIO()
    w = csv.writer(buf, quoting=quoting)
    w.writerows(rows)
    print(repr(buf.getvalue()))
buf.seek(0)
back = list(csv.reader(buf))
print(back)
print(len(back), all(len(r) == 3 for r in back))
semi = list(csv.reader(["a;b;'c;d'"], delimiter=";", quotechar="'"))
print(semi)

# %% cohort retention
from collections import defaultdict

events = [
    ("u1", 0), ("u1", 1), ("u1", 2), ("u2", 0), ("u2", 2), ("u3", 1), ("u3", 2), ("u4", 1), ("u5", 2), ("u5", 3), ("u3", 3),
]
first = {}
for user, week in events:
    first[user] = min(week, first.get(user, week))
cohorts = defaultdict(lambda: defaultdict(set))
for user, week in events:
    cohorts[first[user]][week - first[user]].add(user)
width = max(len(c) for c in cohorts.values())
print("cohort size " + " ".join(f"+{i:<4}" for i in range(width)))
for start in sorted(cohorts):
    size = len(cohorts[start][0])
    cells = " ".join(f"{len(cohorts[start][i]) / size:<5.0%}" if i in cohorts[start] else "-    " for i in range(width))
    print(f"{start:>6} {size:>4} {cells}".rstrip())

# %% parse a markdown table
MD = """
| Item  | Qty | Price |
|:------|----:|------:|
| Lamp  |   2 | 19.90 |
| Desk  |   1 | 149   |
| *Rug* |     | 88.00 |
"""

def parse_md(text):
    lines = [l.strip().strip("|") for l in text.strip().splitlines()]
    header = [c.strip().lower() for c in lines[0].split("|")]
    for line in lines[2:]:
        cells = [c.strip().strip("*") for c in line.split("|")]
        yield dict(zip(header, cells))

rows = list(parse_md(MD))
total = 0
for r in rows:
    qty = int(r["qty"]) if r["qty"].isdigit() else 0
    line_total = qty * float(r["price"])
    total += line_total
    print(f"{r['item']:.<12}{line_total:.>10.2f}")
print(f"{'TOTAL':.<12}{total:.>10.2f}")
