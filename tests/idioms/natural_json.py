# %% parse jsonl with bad lines
import json

section = context.split("=== events.jsonl ===")[1].split("=== notes.txt ===")[0]
events, bad = [], []
for i, line in enumerate(section.strip().splitlines(), 1):
    try:
        events.append(json.loads(line))
    except json.JSONDecodeError as e:
        bad.append((i, str(e), line[:30]))

print(f"{len(events)} good, {len(bad)} bad")
for no, err, preview in bad:
    print(f"  line {no}: {err} -> {preview!r}")
by_type = {}
for ev in events:
    by_type.setdefault(ev["type"], []).append(ev["id"])
print(json.dumps(by_type, indent=2, sort_keys=True))

# %% flatten nested objects
import json

def flatten(obj, prefix="", sep="."):
    items = {}
    if isinstance(obj, dict):
        for k, v in obj.items():
            items.update(flatten(v, f"{prefix}{sep}{k}" if prefix else k, sep))
    elif isinstance(obj, list):
        for i, v in enumerate(obj):
            items.update(flatten(v, f"{prefix}[{i}]", sep))
    else:
        items[prefix] = obj
    return items

data = json.loads("""
{"user": {"id": 7, "name": "Zo\\u00eb", "address": {"city": "Oslo", "zip": null}},
 "orders": [{"sku": "A1", "price": 9.5}, {"sku": "B2", "price": 12.0, "gift": true}]}
""")
flat = flatten(data)
for key, value in flat.items():
    print(f"{key:<22} = {value!r} ({type(value).__name__})")

# %% safe nested get
from functools import reduce

def deep_get(d, path, default=None):
    def step(acc, key):
        if isinstance(acc, dict):
            return acc.get(key)
        if isinstance(acc, list) and key.isdigit() and int(key) < len(acc):
            return acc[int(key)]
        return None
    result = reduce(step, path.split("."), d)
    return default if result is None else result

config = {"db": {"hosts": ["a.local", "b.local"], "port": 5432}, "debug": False}
for path in ["db.port", "db.hosts.1", "db.hosts.5", "debug", "cache.ttl"]:
    print(f"{path}: {deep_get(config, path, default='<missing>')}")

# %% merge configs recursively
import copy
import json

def deep_merge(base, override):
    result = copy.deepcopy(base)
    for key, value in override.items():
        if key in result and isinstance(result[key], dict) and isinstance(value, dict):
            result[key] = deep_merge(result[key], value)
        elif isinstance(value, list) and isinstance(result.get(key), list):
            result[key] = result[key] + [v for v in value if v not in result[key]]
        else:
            result[key] = copy.deepcopy(value)
    return result

defaults = {"server": {"host": "localhost", "port": 8080, "tls": {"enabled": False}}, "plugins": ["core"]}
env = {"server": {"port": 9090, "tls": {"enabled": True, "cert": "/etc/cert.pem"}}, "plugins": ["core", "auth"]}
merged = deep_merge(defaults, env)
print(json.dumps(merged, indent=4))
print(defaults["server"]["port"], defaults["plugins"])

# %% diff two documents
def diff(a, b, path="$"):
    if type(a) != type(b):
        yield f"{path}: type {type(a).__name__} -> {type(b).__name__}"
    elif isinstance(a, dict):
        for key in sorted(set(a) | set(b)):
            p = f"{path}.{key}"
            if key not in a:
                yield f"{p}: added {b[key]!r}"
            elif key not in b:
                yield f"{p}: removed {a[key]!r}"
            else:
                yield from diff(a[key], b[key], p)
    elif isinstance(a, list):
        for i, (x, y) in enumerate(zip(a, b)):
            yield from diff(x, y, f"{path}[{i}]")
        if len(a) != len(b):
            yield f"{path}: length {len(a)} -> {len(b)}"
    elif a != b:
        yield f"{path}: {a!r} -> {b!r}"

old = {"name": "svc", "replicas": 2, "env": {"A": "1", "B": "2"}, "ports": [80, 443], "limit": 1}
new = {"name": "svc", "replicas": 3, "env": {"A": "1", "C": "3"}, "ports": [80, 8443, 9000], "limit": "1"}
changes = list(diff(old, new))
print(f"{len(changes)} changes")
print("\n".join(changes))

# %% validate records against a schema
SCHEMA = {
    "id": {"type": int, "required": True},
    "email": {"type": str, "required": True, "check": lambda v: "@" in v},
    "age": {"type": int, "required": False, "check": lambda v: 0 <= v < 150},
    "tags": {"type": list, "required": False},
}

def validate(record):
    errors = []
    for field, rule in SCHEMA.items():
        if field not in record:
            if rule["required"]:
                errors.append(f"missing field '{field}'")
            continue
        value = record[field]
        if not isinstance(value, rule["type"]):
            errors.append(f"{field}: expected {rule['type'].__name__}, got {type(value).__name__}")
        elif "check" in rule and not rule["check"](value):
            errors.append(f"{field}: invalid value {value!r}")
    unknown = sorted(record.keys() - SCHEMA.keys())
    if unknown:
        errors.append(f"unknown fields: {', '.join(unknown)}")
    return errors

records = [
    {"id": 1, "email": "a@b.c", "age": 30},
    {"id": "2", "email": "nope", "age": 200},
    {"email": "x@y.z", "tags": "vip", "colour": "red"},
]
for r in records:
    errs = validate(r)
    print("OK " if not errs else "BAD", r.get("id"), "; ".join(errs))

# %% extract json from model output
import json
import re

def extract_json(text):
    fence = re.search(r"```(?:json)?\s*(.*?)```", text, re.DOTALL)
    candidate = fence.group(1) if fence else text
    start = min((i for i in (candidate.find("{"), candidate.find("[")) if i != -1), default=-1)
    if start == -1:
        return None
    decoder = json.JSONDecoder()
    try:
        obj, end = decoder.raw_decode(candidate[start:])
        return obj
    except ValueError:
        return None

replies = [
    'Sure! Here it is:\n```json\n{"answer": 42, "sources": ["a", "b"]}\n```\nHope that helps.',
    'The result is [1, 2, 3] as requested.',
    'No JSON here.',
    '{"broken": tru',
]
for r in replies:
    print(extract_json(r))

# %% jsonl to csv
import csv
import io
import json

rows = []
for line in context.splitlines():
    if line.startswith('{"id"'):
        try:
            rows.append(json.loads(line))
        except ValueError:
            pass

fieldnames = ["id", "type", "user_name", "user_age", "tags", "amount"]
buf = io.StringIO()
writer = csv.DictWriter(buf, fieldnames=fieldnames, extrasaction="ignore", lineterminator="\n")
writer.writeheader()
for r in rows:
    user = r.get("user") or {}
    writer.writerow({
        **r,
        "user_name": user.get("name", ""),
        "user_age": user.get("age"),
        "tags": "|".join(r.get("tags") or []),
    })
print(buf.getvalue())

# %% aggregate amounts per user
import json
from collections import defaultdict

def load_events(text):
    for line in text.splitlines():
        line = line.strip()
        if not line.startswith("{"):
            continue
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            continue

totals = defaultdict(float)
counts = defaultdict(int)
for ev in load_events(context):
    name = (ev.get("user") or {}).get("name", "unknown")
    counts[name] += 1
    totals[name] += ev.get("amount", 0)

result = [
    {"user": u, "events": counts[u], "total": round(totals[u], 2)}
    for u in sorted(totals, key=lambda u: (-totals[u], u))
]
print(json.dumps(result, indent=2))
best = max(result, key=lambda r: r["total"])
print(f"Best customer: {best['user']} with {best['total']:.2f}")

# %% dataclass from and to json
import json
from dataclasses import dataclass, field, asdict
from typing import List, Optional

@dataclass
class Item:
    sku: str
    qty: int = 1
    price: float = 0.0

@dataclass
class Order:
    id: int
    customer: str
    items: List[Item] = field(default_factory=list)
    note: Optional[str] = None

    @classmethod
    def from_dict(cls, d):
        return cls(d["id"], d["customer"], [Item(**i) for i in d.get("items", [])], d.get("note"))

    def total(self):
        return sum(i.qty * i.price for i in self.items)

raw = '[{"id": 1, "customer": "Ann", "items": [{"sku": "a", "qty": 2, "price": 3.5}, {"sku": "b"}]}, {"id": 2, "customer": "Ben", "note": "rush"}]'
orders = [Order.from_dict(d) for d in json.loads(raw)]
for o in orders:
    print(o, "total:", o.total())
print(json.dumps([asdict(o) for o in orders], separators=(",", ":")))

# %% custom encoder default
import json
from datetime import date, datetime
from decimal import Decimal

def encode(obj):
    if isinstance(obj, (datetime, date)):
        return obj.isoformat()
    if isinstance(obj, set):
        return sorted(obj)
    if isinstance(obj, Decimal):
        return str(obj)
    if hasattr(obj, "to_dict"):
        return obj.to_dict()
    raise TypeError(f"cannot encode {type(obj).__name__}")

class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def to_dict(self):
        return {"x": self.x, "y": self.y}

doc = {
    "when": datetime(2024, 3, 11, 8, 30),
    "day": date(2024, 3, 11),
    "tags": {"b", "a"},
    "price": Decimal("19.90"),
    "pos": Point(1, 2),
}
print(json.dumps(doc, default=encode, indent=2))
try:
    json.dumps({"f": object()}, default=encode)
except TypeError as e:
    print("TypeError:", e)

# %% json encoder subclass
import json
from datetime import datetime

class Encoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, datetime):
            return o.strftime("%Y-%m-%dT%H:%M:%SZ")
        if isinstance(o, (set, frozenset)):
            return sorted(o)
        return super().default(o)

payload = {"created": datetime(2024, 1, 2, 3, 4, 5), "roles": {"admin", "dev"}, "ok": True}
print(json.dumps(payload, cls=Encoder, indent=2, sort_keys=True))

# %% walk all values
import json

def walk(node, path=()):
    yield path, node
    if isinstance(node, dict):
        for k, v in node.items():
            yield from walk(v, path + (k,))
    elif isinstance(node, list):
        for i, v in enumerate(node):
            yield from walk(v, path + (i,))

doc = json.loads('{"a": [1, {"b": null, "email": "x@y.z"}], "email": "root@y.z", "n": {"m": {"email": null}}}')
emails = [(".".join(map(str, p)), v) for p, v in walk(doc) if p and p[-1] == "email" and v]
print(emails)
depth = max(len(p) for p, _ in walk(doc))
leaves = sum(1 for _, v in walk(doc) if not isinstance(v, (dict, list)))
print(f"depth={depth} leaves={leaves}")

# %% infer schema from samples
import json
from collections import defaultdict

TYPE_NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object", type(None): "null"}

def infer(records):
    types = defaultdict(set)
    seen = defaultdict(int)
    for r in records:
        for k, v in r.items():
            types[k].add(TYPE_NAMES[type(v)])
            seen[k] += 1
    return {
        k: {"types": sorted(types[k]), "required": seen[k] == len(records)}
        for k in types
    }

records = []
for line in context.splitlines():
    if line.startswith("{"):
        try:
            records.append(json.loads(line))
        except json.JSONDecodeError:
            pass
for key, info in infer(records).items():
    flag = "required" if info["required"] else "optional"
    print(f"{key:8} {flag:9} {' | '.join(info['types'])}")

# %% group and nest flat rows
import json
from itertools import groupby

rows = [
    {"country": "NO", "city": "Oslo", "year": 2022, "pop": 709},
    {"country": "NO", "city": "Oslo", "year": 2023, "pop": 717},
    {"country": "SE", "city": "Lund", "year": 2022, "pop": 94},
    {"country": "NO", "city": "Bergen", "year": 2023, "pop": 291},
]

def nest(rows, keys):
    if not keys:
        return [{k: v for k, v in r.items()} for r in rows]
    key, *rest = keys
    rows = sorted(rows, key=lambda r: r[key])
    out = {}
    for value, group in groupby(rows, key=lambda r: r[key]):
        group = [{k: v for k, v in r.items() if k != key} for r in group]
        out[value] = nest(group, rest)
    return out

print(json.dumps(nest(rows, ["country", "city"]), indent=1))

# %% pagination of an api
import json

PAGES = {
    None: '{"items": [{"id": 1}, {"id": 2}], "next": "p2"}',
    "p2": '{"items": [{"id": 3}], "next": "p3"}',
    "p3": '{"items": [], "next": null}',
}

def fetch(cursor=None):
    return json.loads(PAGES[cursor])

def iterate():
    cursor = None
    page = 0
    while True:
        data = fetch(cursor)
        page += 1
        print(f"page {page}: {len(data['items'])} items")
        yield from data["items"]
        cursor = data.get("next")
        if not cursor:
            break

ids = [item["id"] for item in iterate()]
print(ids, sum(ids))

# %% jsonpath mini query
import re

def query(doc, expr):
    tokens = re.findall(r"\.(\w+)|\[(\d+|\*)\]", expr)
    nodes = [doc]
    for name, index in tokens:
        nxt = []
        for node in nodes:
            if name:
                if isinstance(node, dict) and name in node:
                    nxt.append(node[name])
            elif index == "*":
                nxt.extend(node.values() if isinstance(node, dict) else node)
            elif isinstance(node, list) and int(index) < len(node):
                nxt.append(node[int(index)])
        nodes = nxt
    return nodes

store = {"store": {"book": [
    {"title": "Sayings", "price": 8.95}, {"title": "Sword", "price": 12.99}, {"title": "Moby Dick", "price": 8.99},
], "bicycle": {"color": "red", "price": 19.95}}}
for expr in ["$.store.book[*].title", "$.store.book[1].price", "$.store.bicycle.color", "$.store[*]", "$.nope"]:
    result = query(store, expr)
    print(f"{expr:<26} {len(result)} match(es): {result if len(str(result)) < 80 else '...'}")

# %% redact secrets
import json
import re

SENSITIVE = re.compile(r"(password|token|secret|api_?key)", re.I)

def redact(obj):
    if isinstance(obj, dict):
        return {k: "***" if SENSITIVE.search(k) else redact(v) for k, v in obj.items()}
    if isinstance(obj, list):
        return [redact(v) for v in obj]
    if isinstance(obj, str):
        return re.sub(r"\b(\d{4})[- ]?\d{4}[- ]?\d{4}[- ]?(\d{4})\b", r"\1-****-****-\2", obj)
    return obj

doc = {
    "user": "ann", "Password": "hunter2",
    "cards": ["4111 1111 1111 1234", "none"],
    "auth": {"apiKey": "abc", "api_key": "def", "scopes": ["read"]},
    "n": 5,
}
print(json.dumps(redact(doc), indent=2))

# %% snake case keys
import json
import re

def snake(name):
    s = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", s).lower()

def camel(name):
    head, *tail = name.split("_")
    return head + "".join(w.capitalize() for w in tail)

def convert(obj, fn):
    if isinstance(obj, dict):
        return {fn(k): convert(v, fn) for k, v in obj.items()}
    if isinstance(obj, list):
        return [convert(x, fn) for x in obj]
    return obj

doc = json.loads('{"userId": 5, "HTTPStatus": 200, "lastLoginAt": "x", "nestedList": [{"innerKey": 1}]}')
snaked = convert(doc, snake)
print(snaked)
print(json.dumps(convert(snaked, camel)))

# %% index and join two json lists
import json

users = json.loads('[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}, {"id": 3, "name": "Cat"}]')
posts = json.loads('[{"user_id": 1, "title": "Hi", "likes": 3}, {"user_id": 1, "title": "Yo", "likes": 9}, {"user_id": 3, "title": "Hm", "likes": 0}, {"user_id": 9, "title": "?", "likes": 1}]')

by_id = {u["id"]: {**u, "posts": []} for u in users}
orphans = []
for p in posts:
    owner = by_id.get(p["user_id"])
    if owner is None:
        orphans.append(p["title"])
        continue
    owner["posts"].append({k: p[k] for k in ("title", "likes")})

for u in by_id.values():
    likes = sum(p["likes"] for p in u["posts"])
    titles = ", ".join(p["title"] for p in u["posts"]) or "(none)"
    print(f"{u['name']}: {likes} likes on {len(u['posts'])} posts: {titles}")
print("orphans:", orphans)

# %% statistics over nested scores
import json
import statistics

scores = {}
for line in context.splitlines():
    if not line.startswith('{"id"'):
        continue
    try:
        ev = json.loads(line)
    except json.JSONDecodeError as err:
        print(f"line skipped: {err.msg} (pos {err.pos})")
        continue
    scores.setdefault(ev["type"], []).append(ev["score"])

for kind, vals in sorted(scores.items()):
    mean = statistics.mean(vals)
    spread = statistics.stdev(vals) if len(vals) > 1 else 0.0
    print(f"{kind:<9} n={len(vals)} mean={mean:.3f} stdev={spread:.3f} median={statistics.median(vals)}")
all_scores = [s for v in scores.values() for s in v]
print(round(statistics.fmean(all_scores), 4), min(all_scores), max(all_scores))

# %% tree building from parent ids
import json

nodes = [
    {"id": 1, "parent": None, "name": "root"},
    {"id": 2, "parent": 1, "name": "docs"},
    {"id": 3, "parent": 1, "name": "src"},
    {"id": 4, "parent": 3, "name": "lib.rs"},
    {"id": 5, "parent": 2, "name": "guide.md"},
    {"id": 6, "parent": 3, "name": "main.rs"},
]

def build(nodes, parent=None):
    return [
        {"name": n["name"], "children": build(nodes, n["id"])}
        for n in nodes if n["parent"] == parent
    ]

def show(tree, indent=0):
    for node in sorted(tree, key=lambda n: (not n["children"], n["name"])):
        print("  " * indent + ("+ " if node["children"] else "- ") + node["name"])
        show(node["children"], indent + 1)

tree = build(nodes)
show(tree)
print(len(json.dumps(tree)), json.dumps(tree)[:60])

# %% repair slightly broken json
import json
import re

def repair(text):
    text = text.strip()
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r",\s*([}\]])", r"\1", text)
    text = re.sub(r"([{,]\s*)([A-Za-z_]\w*)\s*:", r'\1"\2":', text)
    text = text.replace("'", '"')
    text = text.replace("None", "null").replace("True", "true").replace("False", "false")
    opens = text.count("{") - text.count("}")
    return text + "}" * max(opens, 0)

samples = [
    "{'a': 1, 'b': [1, 2, 3,], }",
    "{name: 'x', ok: True, none: None}",
    '{"a": {"b": 2}',
    '{"a": 1 // comment\n}',
    "not json",
]
for s in samples:
    try:
        print("ok  ", json.loads(repair(s)))
    except json.JSONDecodeError as e:
        print("fail", repr(s), "-", e)

# %% geojson bounding boxes
import json

doc = json.loads("""{"type": "FeatureCollection", "features": [
 {"type": "Feature", "properties": {"name": "A"}, "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 3], [0, 3], [0, 0]]]}},
 {"type": "Feature", "properties": {"name": "B"}, "geometry": {"type": "Point", "coordinates": [10.5, -2.25]}}
]}""")

def points(coords):
    if isinstance(coords[0], (int, float)):
        yield tuple(coords)
    else:
        for c in coords:
            yield from points(c)

def area(ring):
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(ring, ring[1:]))) / 2

for f in doc["features"]:
    geom = f["geometry"]
    xs, ys = zip(*points(geom["coordinates"]))
    bbox = [min(xs), min(ys), max(xs), max(ys)]
    extra = f" area={area(geom['coordinates'][0])}" if geom["type"] == "Polygon" else ""
    print(f"{f['properties']['name']}: {geom['type']} bbox={bbox}{extra}")

# %% in memory document store
import json

class Store:
    def __init__(self):
        self._docs = {}
        self._next = 1

    def insert(self, doc):
        doc_id = self._next
        self._next += 1
        self._docs[doc_id] = {"_id": doc_id, **doc}
        return doc_id

    def find(self, **criteria):
        for doc in self._docs.values():
            if all(doc.get(k) == v for k, v in criteria.items()):
                yield doc

    def update(self, doc_id, **changes):
        if doc_id not in self._docs:
            raise KeyError(f"no document {doc_id}")
        self._docs[doc_id].update(changes)

    def __len__(self):
        return len(self._docs)

    def __contains__(self, doc_id):
        return doc_id in self._docs

store = Store()
for name, team in [("ann", "red"), ("bob", "blue"), ("cat", "red")]:
    store.insert({"name": name, "team": team})
store.update(2, team="red", captain=True)
print(len(store), 2 in store, 7 in store)
print(json.dumps(list(store.find(team="red"))))
try:
    store.update(99, team="x")
except KeyError as e:
    print("error:", e.args[0])

# %% nested comprehension report
import json

data = json.loads('{"teams": [{"name": "A", "members": [{"n": "x", "skills": ["py", "sql"]}, {"n": "y", "skills": []}]}, {"name": "B", "members": [{"n": "z", "skills": ["rust", "py"]}]}]}')

skills = {
    skill: sorted(m["n"] for t in data["teams"] for m in t["members"] if skill in m["skills"])
    for skill in sorted({s for t in data["teams"] for m in t["members"] for s in m["skills"]})
}
print(json.dumps(skills))
sizes = {t["name"]: len(t["members"]) for t in data["teams"]}
print(sizes, sum(sizes.values()))
no_skills = [m["n"] for t in data["teams"] for m in t["members"] if not m["skills"]]
print(f"without skills: {no_skills}")
print(*(f"{t['name']}:{m['n']}" for t in data["teams"] for m in t["members"]), sep=" | ")

# %% match statement on events
import json

def describe(event):
    match event:
        case {"type": "purchase", "amount": amount, "user": {"name": name}} if amount > 150:
            return f"{name} made a big purchase of {amount}"
        case {"type": "purchase", "amount": amount, "user": {"name": name}}:
            return f"{name} bought for {amount}"
        case {"type": "signup" | "logout" as kind, "user": {"name": name}}:
            return f"{name}: {kind}"
        case {"type": "note", "text": str(text)}:
            return f"note: {text}"
        case {"type": other}:
            return f"unhandled {other}"
        case _:
            return "unknown"

for line in context.splitlines():
    if line.startswith('{"id"'):
        try:
            print(describe(json.loads(line)))
        except json.JSONDecodeError:
            print("(broken)")

# %% object hook and parse float
import json
from decimal import Decimal
from types import SimpleNamespace

text = '{"name": "lamp", "price": 19.90, "dims": {"w": 2, "h": 3.25}, "tags": ["a"]}'
obj = json.loads(text, object_hook=lambda d: SimpleNamespace(**d))
print(obj.name, obj.dims.w * obj.dims.h, obj.tags)
exact = json.loads(text, parse_float=Decimal)
print(exact["price"], exact["dims"]["h"] * 2, type(exact["price"]).__name__)
pairs = json.loads('{"b": 1, "a": 2, "b": 3}', object_pairs_hook=list)
print(pairs)

# %% summary of the shape of an unknown document
import json

def summarize(obj, depth=0, max_depth=2):
    pad = "  " * depth
    if isinstance(obj, dict):
        if depth >= max_depth:
            return f"{{{len(obj)} keys}}"
        lines = [f"dict with {len(obj)} keys:"]
        for k, v in list(obj.items())[:5]:
            lines.append(f"{pad}  {k}: {summarize(v, depth + 1, max_depth)}")
        if len(obj) > 5:
            lines.append(f"{pad}  ... {len(obj) - 5} more")
        return "\n".join(lines)
    if isinstance(obj, list):
        kinds = sorted({type(x).__name__ for x in obj})
        return f"list[{len(obj)}] of {'/'.join(kinds) or 'nothing'}"
    text = json.dumps(obj, ensure_ascii=False)
    return text if len(text) <= 20 else text[:17] + "..."

doc = {"meta": {"version": 3, "author": {"name": "Ann", "age": 3}}, "rows": [{"a": 1}, [2], "x"], "empty": [],
       "title": "A very long title that goes on", "ok": None, "extra1": 1, "extra2": 2}
print(summarize(doc))

# %% deduplicate records by canonical form
import hashlib
import json

records = [
    {"id": 1, "tags": ["a", "b"], "v": {"x": 1, "y": 2}},
    {"v": {"y": 2, "x": 1}, "tags": ["a", "b"], "id": 1},
    {"id": 2, "tags": [], "v": {}},
    {"id": 1, "tags": ["b", "a"], "v": {"x": 1, "y": 2}},
]

def fingerprint(rec):
    canonical = json.dumps(rec, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()[:12]

seen = {}
for i, rec in enumerate(records):
    fp = fingerprint(rec)
    if fp in seen:
        print(f"record {i} duplicates record {seen[fp]}")
        continue
    seen[fp] = i
print(len(seen), "unique")
for fp, i in seen.items():
    print(fp, records[i]["id"])
