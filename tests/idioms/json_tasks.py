# %% tolerant parsing of the json lines
import json

good, bad = [], []
for i, line in enumerate(context.splitlines(), 1):
    if not line.startswith("{"):
        continue
    try:
        good.append(json.loads(line))
    except json.JSONDecodeError as e:
        bad.append((i, type(e).__name__, str(e)))
print(len(good), "good,", len(bad), "bad")
for item in bad:
    print(item)
[g["id"] for g in good]

# %% sum amounts by user
import json

def load(text):
    """Yield every line that is a JSON object; ignore the rest."""
    for line in text.split("\n"):
        try:
            obj = json.loads(line)
        except ValueError:
            continue
        if isinstance(obj, dict):
            yield obj

totals = {}
for ev in load(context):
    name = (ev.get("user") or {}).get("name", "<none>")
    totals[name] = totals.get(name, 0.0) + ev.get("amount", 0)
print(json.dumps(totals, sort_keys=True))
max(totals, key=totals.get)

# %% pretty printing with indent and separators
import json

doc = {"b": [1, 2.5, None, True], "a": {"z": "é\n", "y": []}, "c": {}, "d": ()}
print(json.dumps(doc))
print(json.dumps(doc, separators=(",", ":"), sort_keys=True))
print(json.dumps(doc, indent=2, ensure_ascii=False))
print(json.dumps({1: "int key", None: 0, True: "t", 2.5: []}))
json.loads(json.dumps(doc)) == {**doc, "d": []}

# %% schema check with readable errors
import json

SCHEMA = {"id": int, "type": str, "user": dict, "tags": list, "score": float}

def check(rec: dict) -> list[str]:
    errors = []
    for key, typ in SCHEMA.items():
        if key not in rec:
            errors.append(f"missing '{key}'")
        elif rec[key] is None:
            errors.append(f"'{key}' is null")
        elif not isinstance(rec[key], typ):
            errors.append(f"'{key}' should be {typ.__name__}, got {type(rec[key]).__name__}")
    extra = sorted(set(rec) - set(SCHEMA))
    if extra:
        errors.append("extra: " + ", ".join(extra))
    return errors

for line in context.splitlines():
    if line.startswith("{") and line.endswith("}") and line.count("{") == line.count("}"):
        rec = json.loads(line)
        print(rec["id"], check(rec) or "valid")

# %% deep merge of configuration dictionaries
import json
from copy import deepcopy

def deep_merge(base, extra):
    result = deepcopy(base)
    for k, v in extra.items():
        if isinstance(v, dict) and isinstance(result.get(k), dict):
            result[k] = deep_merge(result[k], v)
        elif isinstance(v, list) and isinstance(result.get(k), list):
            result[k] = result[k] + [x for x in v if x not in result[k]]
        else:
            result[k] = v
    return result

defaults = {"db": {"host": "192.0.2.1", "port": 5432, "opts": ["ssl"]}, "debug": False}
site = {"db": {"port": 6000, "opts": ["ssl", "pool"]}, "name": "north"}
merged = deep_merge(defaults, site)
print(json.dumps(merged, indent=1, sort_keys=True))
print("base untouched:", defaults["db"]["opts"] == ["ssl"])

# %% flatten and unflatten nested documents
def flatten(node, prefix=""):
    flat = {}
    if isinstance(node, dict):
        for k, v in node.items():
            flat.update(flatten(v, f"{prefix}.{k}" if prefix else k))
    elif isinstance(node, list):
        for i, v in enumerate(node):
            flat.update(flatten(v, f"{prefix}[{i}]"))
    else:
        flat[prefix] = node
    return flat

def unflatten(flat):
    root = {}
    for path, value in flat.items():
        *parents, leaf = path.split(".")
        node = root
        for p in parents:
            node = node.setdefault(p, {})
        node[leaf] = value
    return root

doc = {"user": {"name": "ada", "langs": ["py", "rs"], "home": {"zip": "00-01"}}, "ok": True}
flat = flatten(doc)
for k in sorted(flat):
    print(f"{k:<16} = {flat[k]!r}")
unflatten({"a.b.c": 1, "a.b.d": 2, "e": 3})

# %% sorting by multiple keys with None last
import json

records = []
for line in context.splitlines():
    try:
        r = json.loads(line)
    except json.JSONDecodeError:
        continue
    records.append(r)

records.sort(key=lambda r: (r.get("amount") is None, -(r.get("amount") or 0), r["type"], -r["id"]))
for r in records:
    print(f"{r['id']:>2} {r['type']:<9} {r.get('amount', '-')!s:>7} {r['score']:+.2f}")

# %% tag index as dict of sorted lists
import json
from collections import defaultdict

index = defaultdict(set)
untagged = 0
for line in context.splitlines():
    if line[:1] != "{":
        continue
    try:
        ev = json.loads(line)
        for tag in ev["tags"]:
            index[tag].add(ev["id"])
        untagged += not ev["tags"]
    except TypeError as e:
        print("skip", ev["id"], "-", e)
    except json.JSONDecodeError as e:
        print("broken:", e.msg, "col", e.colno)
print({t: sorted(ids) for t, ids in sorted(index.items())})
print("untagged:", untagged)
sorted(index["eu"] & index["repeat"])

# %% decode errors have positions
import json

samples = ["", "{", "[1, 2", "{'a': 1}", '{"a" 1}', '{"a": 1,}', "[1,,2]", "nul", '"abc', "1 2", '{"a": tru}']
for s in samples:
    try:
        print(repr(s), "->", json.loads(s))
    except json.JSONDecodeError as e:
        print(f"{s!r:<12} {e}")
json.loads(' [1, -2.5e3, "\\u00e9", null, false] ')

# %% reshaping records into columns and back
import json

rows = [{"k": "a", "n": 1}, {"k": "b", "n": 2, "x": True}, {"k": "c"}]
names = list(dict.fromkeys(key for row in rows for key in row))
columns = {name: [row.get(name) for row in rows] for name in names}
print(json.dumps(columns))
back = [{n: v for n, v in zip(columns, vals) if v is not None} for vals in zip(*columns.values())]
print(back == rows)
back

# %% not serialisable objects and default hook
import json
from datetime import date
from decimal import Decimal

payload = {"when": date(2024, 3, 11), "price": Decimal("19.90"), "tags": {"b", "a"}}
try:
    json.dumps(payload)
except TypeError as e:
    print("TypeError:", e)

def encode(o):
    if isinstance(o, date):
        return o.isoformat()
    if isinstance(o, Decimal):
        return str(o)
    if isinstance(o, (set, frozenset)):
        return sorted(o)
    raise TypeError(f"cannot encode {type(o).__name__}")

print(json.dumps(payload, default=encode))
try:
    json.dumps({"c": 1 + 2j}, default=encode)
except TypeError as e:
    print("TypeError:", e)

# %% nested report by type and user
import json

report = {}
for line in context.splitlines():
    try:
        ev = json.loads(line)
    except Exception:
        continue
    user = ev["user"]["name"] if ev["user"] else "anonymous"
    node = report.setdefault(ev["type"], {"count": 0, "users": {}})
    node["count"] += 1
    node["users"].setdefault(user, []).append(ev["id"])

for kind in sorted(report, key=lambda k: (-report[k]["count"], k)):
    print(f"{kind} ({report[kind]['count']})")
    for user, ids in report[kind]["users"].items():
        print(f"   └─ {user}: {', '.join(map(str, ids))}")

# %% walking a tree for all values of a key
def find_all(node, key):
    if isinstance(node, dict):
        for k, v in node.items():
            if k == key:
                yield v
            yield from find_all(v, key)
    elif isinstance(node, (list, tuple)):
        for v in node:
            yield from find_all(v, key)

tree = {"id": 1, "kids": [{"id": 2, "kids": []}, {"id": 3, "kids": [{"id": 4, "meta": {"id": "m"}}]}]}
print(list(find_all(tree, "id")))
print(list(find_all(tree, "nope")))

def depth(n):
    return 1 + max((depth(k) for k in n.get("kids", [])), default=0)

depth(tree)

# %% extracting json objects embedded in model output
import json
import re

answers = [
    'Sure! Here you go:\n```json\n{"city": "Corran", "pop": 812}\n```\nAnything else?',
    'The result is {"city": "Vale", "pop": null} as asked.',
    "I cannot answer that.",
    'Partial: {"city": "Nib", } (cut off)',
]

def extract(text):
    fence = re.search(r"```(?:json)?\s*(.*?)```", text, re.DOTALL)
    body = fence.group(1) if fence else text
    start, end = body.find("{"), body.rfind("}")
    if start == -1 or end == -1:
        raise ValueError("no object in answer")
    return json.loads(body[start:end + 1])

for a in answers:
    try:
        print("ok ", extract(a))
    except ValueError as e:
        print("bad", type(e).__name__, "|", e)

# %% path getter with defaults and a final error
import json

line = next(l for l in context.splitlines() if l.startswith('{"id": 7'))
doc = json.loads(line)
print(doc["text"], len(doc["text"]))

def get(obj, path, default=None):
    for part in path.split("."):
        try:
            obj = obj[int(part)] if isinstance(obj, list) else obj[part]
        except (KeyError, IndexError, TypeError):
            return default
    return obj

print(get(doc, "tags.0"), get(doc, "tags.5", "n/a"), get(doc, "user.name", "nobody"))
doc["user"]["name"]

# %% diff of two documents
def diff(a, b, path="$"):
    if type(a) is not type(b):
        return [f"{path}: type {type(a).__name__} -> {type(b).__name__}"]
    if isinstance(a, dict):
        out = []
        for k in sorted(a.keys() | b.keys()):
            if k not in a:
                out.append(f"{path}.{k}: added {b[k]!r}")
            elif k not in b:
                out.append(f"{path}.{k}: removed {a[k]!r}")
            else:
                out += diff(a[k], b[k], f"{path}.{k}")
        return out
    if isinstance(a, list) and len(a) == len(b):
        return [d for i, (x, y) in enumerate(zip(a, b)) for d in diff(x, y, f"{path}[{i}]")]
    return [] if a == b else [f"{path}: {a!r} -> {b!r}"]

old = {"v": 1, "opts": {"tls": True, "ttl": 30}, "hosts": ["a", "b"], "x": 1}
new = {"v": "1", "opts": {"tls": False, "ttl": 30}, "hosts": ["a", "c"], "y": None}
print("\n".join(diff(old, new)))
diff(old, old)

# %% last record wins when merging by id
import json

feed = """\
{"id": "p1", "stock": 4, "rev": 1}
{"id": "p2", "stock": 0, "rev": 1}
{"id": "p1", "stock": 9, "rev": 3}

{"id": "p1", "price": "12.50", "rev": 2}
{"id": "p3"}
"""
state, revs = {}, {}
for raw in filter(str.strip, feed.splitlines()):
    rec = json.loads(raw)
    pid, rev = rec.pop("id"), rec.pop("rev", 0)
    if rev >= revs.get(pid, -1):
        revs[pid] = rev
        state[pid] = {**state.get(pid, {}), **rec}
    else:
        print(f"stale rev {rev} of {pid} (have {revs[pid]})")
        for k, v in rec.items():
            state[pid].setdefault(k, v)
print(state)
{k: float(v.get("price", "nan")) for k, v in state.items() if "price" in v}

# %% numbers, big ints and special floats
import json
import math

vals = json.loads('[12345678901234567890123, 0.1, 1e400, -0.0, 1E2, NaN, -Infinity, 3.0]')
for v in vals:
    print(type(v).__name__, v)
print(json.dumps([math.inf, float("nan"), 1e16, 1e-7, 100.0, 0.1 + 0.2]))
try:
    json.dumps([math.inf], allow_nan=False)
except ValueError as e:
    print("ValueError:", e)
vals[0] + 1

# %% hooks for object pairs and duplicate keys
import json
from collections import Counter, OrderedDict

def no_dupes(pairs):
    counts = Counter(k for k, _ in pairs)
    dup = [k for k, n in counts.items() if n > 1]
    if dup:
        raise ValueError(f"duplicate keys: {dup}")
    return dict(pairs)

text = '{"a": 1, "b": {"x": 1, "x": 2}, "a": 3}'
print(json.loads(text))
print(json.loads('{"b": 1, "a": 2}', object_pairs_hook=OrderedDict))
print(json.loads("[1.10, 2]", parse_float=lambda s: f"<{s}>", parse_int=lambda s: int(s) * 10))
json.loads(text, object_pairs_hook=no_dupes)

# %% parsing stops at the line that is not json
import json

inside = False
ids = []
for line in context.splitlines():
    if line.startswith("==="):
        inside = "jsonl" in line
        continue
    if inside and line and '"di", "age": 27}, "tags": ["new"]' not in line:
        try:
            ids.append(json.loads(line)["id"])
        except json.JSONDecodeError as e:
            raise RuntimeError(f"cannot parse {line!r} after {len(ids)} records") from e
        print("parsed", ids)
