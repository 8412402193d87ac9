# %% dumps with default=str
import json
from datetime import date, datetime, timedelta
from decimal import Decimal
rec = {"day": date(2024, 2, 29), "at": datetime(2024, 2, 29, 13, 5, 7), "took": timedelta(minutes=90), "cost": Decimal("9.90")}
print(json.dumps(rec, default=str))
try:
    json.dumps(rec)
except TypeError as e:
    print(type(e).__name__, e)
json.loads(json.dumps(rec, default=str))["cost"]
# %% dumps with a default function
import json
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

def encode(o):
    if isinstance(o, (set, frozenset)):
        return sorted(o)
    if isinstance(o, complex):
        return {"re": o.real, "im": o.imag}
    if hasattr(o, "__dict__"):
        return vars(o)
    raise TypeError(f"cannot encode {type(o).__name__}")

print(json.dumps({"s": {3, 1, 2}, "z": 1 + 2j, "p": [Point(0, 1), Point(2, {"b", "a"})]}, default=encode))
try:
    print(json.dumps([b"raw"], default=encode))
except Exception as exc:
    print(f"{type(exc).__name__}: {exc}")
# %% indentation variants
import json
data = {"name": "box", "size": [1, 2, 3], "empty": [], "none": {}, "nested": {"a": {"b": None}}}
print(json.dumps(data, indent=2))
print(json.dumps(data["size"], indent=0))
print(json.dumps({"k": [1]}, indent="--"))
print(json.dumps([[], {}], indent=4))
json.dumps({"x": [1, {"y": 2}]}, indent=1)
# %% sort_keys and separators
import json
d = {"b": 1, "a": [1, 2], "C": {"z": 0, "y": 1}}
print(json.dumps(d))
print(json.dumps(d, sort_keys=True))
print(json.dumps(d, separators=(",", ":")))
print(json.dumps(d, sort_keys=True, indent=2, separators=(",", " = ")))
canonical = lambda o: json.dumps(o, sort_keys=True, separators=(",", ":"))
print(canonical({"x": 1, "y": 2}) == canonical({"y": 2, "x": 1}))
caught = None
try:
    json.dumps({"a": 1, 2: "b"}, sort_keys=True)
except TypeError as err:
    caught = str(err)
caught
# %% ensure_ascii and escapes
import json
s = "naïve — 日本 😀 \"quoted\" back\\slash \t tab \n nl \x00 \x1f \x7f /"
print(json.dumps(s))
print(json.dumps(s, ensure_ascii=False))
print(json.loads('"\\u00e9\\ud83d\\ude00\\/\\b"'))
print(json.loads(json.dumps(s)) == s)
print(json.dumps({"clé": "été"}), json.dumps({"clé": "été"}, ensure_ascii=False))
len(json.dumps("é")), len(json.dumps("é", ensure_ascii=False))
# %% JSONDecodeError messages
import json
bad = ["", "{", "[1, 2", '{"a" 1}', '{"a": 1,}', "{'a': 1}", "[1 2]", "nul", '{"a": 1} extra', '"open', "[1,]", '{1: 2}', "01"]
for text in bad:
    try:
        json.loads(text)
    except json.JSONDecodeError as e:
        print(f"{text!r:<18} {e}")
# %% decode error attributes
import json
doc = '{\n  "ok": true,\n  "broken": tru\n}'
try:
    json.loads(doc)
except ValueError as e:
    print(type(e).__name__, isinstance(e, json.JSONDecodeError))
    print(e.msg, e.lineno, e.colno, e.pos)
    print(doc.splitlines()[e.lineno - 1][:e.colno - 1])
def safe(text, default=None):
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return default
print(safe("[1]"), safe("oops", {}), safe('"\x01"', "control char"))
try:
    json.loads('{"tab": "a\tb"}')
except json.JSONDecodeError as e:
    print(e, "| in", repr(e.doc))
print(json.loads('{"tab": "a\tb"}', strict=False))
# %% round trip changes tuples and keys
import json
original = {1: "int key", 2.5: "float key", True: "bool?", None: "none", "t": (1, (2, 3))}
text = json.dumps(original)
print(text)
back = json.loads(text)
print(back, back == original)
print(json.loads(json.dumps([1, 2.0, "3", None, True])) == [1, 2.0, "3", None, True])
restored = {int(k) if k.isdigit() else k: v for k, v in back.items()}
print(restored)
try:
    print(json.dumps({(1, 2): "tuple key"}))
except TypeError as e:
    print(type(e).__name__, "->", e.args)
# %% json lines
import json
raw = """{"id": 1, "lvl": "info"}
{"id": 2, "lvl": "error", "msg": "boom"}

not json
{"id": 3, "lvl": "error"}"""
good, bad = [], []
for n, line in enumerate(raw.splitlines(), 1):
    if not line.strip():
        continue
    try:
        good.append(json.loads(line))
    except json.JSONDecodeError as e:
        bad.append((n, str(e)))
print([r["id"] for r in good if r["lvl"] == "error"])
print(bad)
print("\n".join(json.dumps(r, sort_keys=True) for r in good))
[r.get("msg", "-") for r in good]
# %% int, float and special number formats
import json
nums = [1, -0, 1.0, -0.0, 1e3, 1.5e-7, 1e16, 1e22, 123456789012345678901234567890, 0.1 + 0.2, 1 / 3, 100000.0]
print(json.dumps(nums))
print([type(x).__name__ for x in json.loads("[1, 1.0, 1e2, -3, 1E+2, 0.5]")])
print(json.dumps([float("inf"), float("-inf"), float("nan")]))
print(json.loads("[NaN, Infinity, -Infinity]"))
try:
    json.dumps(float("nan"), allow_nan=False)
except ValueError as e:
    print(e)
json.loads("[1.10, 2e0, 12345678901234567890]")
# %% booleans and None at top level
import json
for v in (True, False, None, 0, "", "true", [], {}, [None]):
    text = json.dumps(v)
    assert json.loads(text) == v
    print(repr(v), "->", text)
print(json.loads("  true "), json.loads("\n null\t"))
print(json.loads(b'{"from": "bytes"}'), json.loads(bytearray(b"[1]")))
try:
    json.loads(None)
except (TypeError, OSError) as e:
    outcome = type(e).__name__, str(e)
else:
    outcome = "no error"
outcome
# %% flattening a nested document
import json
def flatten(obj, parent="", sep="."):
    items = {}
    pairs = obj.items() if isinstance(obj, dict) else enumerate(obj)
    for k, v in pairs:
        key = f"{parent}{sep}{k}" if parent else str(k)
        if isinstance(v, (dict, list)) and v:
            items.update(flatten(v, key, sep))
        else:
            items[key] = v
    return items

doc = json.loads('{"user": {"name": "Ann", "langs": ["py", "rs"], "addr": {"geo": {"lat": 1.5}}}, "ok": true, "e": []}')
flat = flatten(doc)
print(json.dumps(flat, indent=2))
list(flatten([[1, [2]], {"k": 3}], sep="/"))
# %% unflattening dotted keys
import json
def unflatten(flat: dict) -> dict:
    root: dict = {}
    for path, value in flat.items():
        *parents, leaf = path.split(".")
        node = root
        for p in parents:
            node = node.setdefault(p, {})
        node[leaf] = value
    return root

flat = {"db.host": "h", "db.pool.min": 1, "db.pool.max": 5, "debug": False}
tree = unflatten(flat)
print(json.dumps(tree))
print(tree["db"]["pool"])
try:
    unflatten({"a": 1, "a.b": 2})
except TypeError as e:
    print(e)
# %% jsonpath-like lookups
import json
from functools import reduce
doc = json.loads("""{"store": {"books": [
    {"title": "A", "price": 8.95}, {"title": "B", "price": 22.99, "tags": ["x", "y"]}
]}, "v": 1}""")
def get(obj, path, default=None):
    """get(doc, 'store.books.1.tags.0')"""
    for part in path.split("."):
        try:
            obj = obj[int(part)] if isinstance(obj, list) else obj[part]
        except (KeyError, IndexError, TypeError, ValueError):
            return default
    return obj

for p in ("store.books.0.title", "store.books.1.tags.1", "store.books.9", "v.w", "store.books.first"):
    print(p, "=", get(doc, p, "?"))
print(reduce(lambda o, k: o[k], ["store", "books", -1, "price"], doc))
sum(b["price"] for b in doc["store"]["books"])
# %% deep merge of configs
import json, copy
def merge(base, over):
    out = copy.deepcopy(base)
    for k, v in over.items():
        if isinstance(v, dict) and isinstance(out.get(k), dict):
            out[k] = merge(out[k], v)
        elif isinstance(v, list) and isinstance(out.get(k), list):
            out[k] = out[k] + [x for x in v if x not in out[k]]
        else:
            out[k] = v
    return out

base = {"log": {"level": "INFO", "sinks": ["file"]}, "port": 80}
over = json.loads('{"log": {"level": "DEBUG", "sinks": ["file", "tcp"]}, "port": null, "new": [1]}')
print(json.dumps(merge(base, over), sort_keys=True))
base
# %% object_hook and object_pairs_hook
import json
from types import SimpleNamespace
from collections import OrderedDict
text = '{"a": {"b": [{"c": 1}, {"c": 2}]}, "n": "x"}'
ns = json.loads(text, object_hook=lambda d: SimpleNamespace(**d))
print(ns.a.b[1].c, ns.n)
print(ns)
print(json.loads('{"k": 1, "k": 2}'), json.loads('{"k": 1, "k": 2}', object_pairs_hook=list))
od = json.loads('{"z": 1, "a": 2}', object_pairs_hook=OrderedDict)
print(od, list(od))
def no_dupes(pairs):
    keys = [k for k, _ in pairs]
    dupes = sorted({k for k in keys if keys.count(k) > 1})
    if dupes:
        raise ValueError(f"duplicate keys: {dupes}")
    return dict(pairs)
json.loads('{"x": {"p": 1, "q": 2, "p": 3}}', object_pairs_hook=no_dupes)
# %% parse_float, parse_int and parse_constant
import json
from decimal import Decimal
text = '{"price": 19.99, "qty": 3, "ratio": 1e-3, "bad": NaN}'
print(json.loads(text, parse_float=Decimal, parse_constant=lambda c: f"<{c}>"))
print(json.loads("[1, 2.5, 10]", parse_int=float))
print(json.loads("[1, 2]", parse_int=lambda s: s + "!"))
order = json.loads(text, parse_float=Decimal)
total = order["price"] * order["qty"]
print(total, type(total).__name__)
def reject(c):
    raise ValueError(f"{c} not allowed")
try:
    json.loads(text, parse_constant=reject)
except ValueError as e:
    print(e)
# %% tagged datetime codec
import json
from datetime import datetime
class Enc(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, datetime):
            return {"__dt__": o.isoformat()}
        return super().default(o)

def hook(d):
    return datetime.fromisoformat(d["__dt__"]) if "__dt__" in d else d

event = {"name": "launch", "when": datetime(2030, 1, 2, 3, 4, 5), "log": [datetime(2000, 1, 1)]}
text = json.dumps(event, cls=Enc)
print(text)
print(json.loads(text, object_hook=hook) == event)
try:
    print(json.dumps({"o": {1, 2}}, cls=Enc))
except TypeError as e:
    print("error:", repr(e))
finally:
    print("done")
# %% unserializable values
import json
for v in ({1, 2}, b"x", 1j, object, len, range(3), (i for i in "a"), {"deep": [{"x": {1}}]}):
    try:
        json.dumps(v)
    except TypeError as e:
        print(type(e).__name__, e)
print(json.dumps({"ok": 1, ("t",): 2}, skipkeys=True))
loop = []
loop.append(loop)
try:
    json.dumps(loop)
except ValueError as e:
    print(e)
try:
    print(json.dumps({"f": json}))
except BaseException as e:
    print("%s: %s" % (e.__class__.__name__, e))
# %% dumping dataclasses and namedtuples
import json
from dataclasses import dataclass, asdict, field
from typing import NamedTuple
@dataclass
class Item:
    sku: str
    qty: int = 1
    tags: list[str] = field(default_factory=list)

class Pos(NamedTuple):
    x: int
    y: int

cart = [Item("a1"), Item("b2", 3, ["new"])]
print(json.dumps([asdict(i) for i in cart]))
print(json.dumps({"pos": Pos(1, 2)}), json.dumps(Pos(3, 4)._asdict()))
print([Item(**d) for d in json.loads(json.dumps(cart, default=asdict))])
Item(**json.loads('{"sku": "z", "color": "red"}'))
# %% grouping records from an api response
import json
from collections import defaultdict
resp = json.loads("""
[{"city": "Rome", "pop": 2.8, "tags": ["eu", "capital"]},
 {"city": "Lyon", "pop": 0.5, "tags": ["eu"]},
 {"city": "Lima", "pop": 9.7, "tags": ["sa", "capital"]}]
""")
by_tag = defaultdict(list)
for row in resp:
    for tag in row["tags"]:
        by_tag[tag].append(row["city"])
print(json.dumps(by_tag, sort_keys=True))
print(max(resp, key=lambda r: r["pop"])["city"], round(sum(r["pop"] for r in resp), 1))
{t: len(c) for t, c in sorted(by_tag.items())}
# %% recursive key search and transform
import json
def find(node, key):
    if isinstance(node, dict):
        for k, v in node.items():
            if k == key:
                yield v
            yield from find(v, key)
    elif isinstance(node, list):
        for v in node:
            yield from find(v, key)

def transform(node, fn):
    match node:
        case dict():
            return {k: transform(v, fn) for k, v in node.items()}
        case list():
            return [transform(v, fn) for v in node]
    return fn(node)

doc = json.loads('{"id": 1, "kids": [{"id": 2, "kids": []}, {"id": 3, "meta": {"id": null}}]}')
print(list(find(doc, "id")))
print(json.dumps(transform(doc, lambda v: v * 10 if isinstance(v, int) else v)))
try:
    print(next(find(doc, "nope")))
except StopIteration as stop:
    print("stopped", stop.value)
# %% diff between two documents
import json
_missing = "<missing>"
def diff(a, b, path="$"):
    if type(a) is not type(b) or not isinstance(a, (dict, list)):
        return [] if a == b else [f"{path}: {json.dumps(a)} -> {json.dumps(b)}"]
    keys = list(dict.fromkeys([*a, *b])) if isinstance(a, dict) else range(max(len(a), len(b)))
    look = lambda o, k: (o.get(k, _missing) if isinstance(o, dict) else o[k] if k < len(o) else _missing)
    return [line for k in keys for line in diff(look(a, k), look(b, k), f"{path}.{k}")]

old = json.loads('{"v": 1, "deps": ["a", "b"], "opt": {"x": true}}')
new = json.loads('{"v": 2, "deps": ["a", "c", "d"], "opt": {"x": 1}, "extra": null}')
for line in diff(old, new):
    print(line)
diff(old, json.loads(json.dumps(old)))
# %% schema checks that collect errors
import json
SCHEMA = {"name": str, "age": int, "emails": list}
def validate(text):
    try:
        obj = json.loads(text)
    except json.JSONDecodeError as e:
        return [f"invalid JSON: {e.msg} at {e.pos}"]
    if not isinstance(obj, dict):
        return [f"expected object, got {type(obj).__name__}"]
    errs = [f"missing {k}" for k in SCHEMA.keys() - obj.keys()]
    errs += [f"{k}: {v!r} is not {SCHEMA[k].__name__}" for k, v in obj.items() if k in SCHEMA and not isinstance(v, SCHEMA[k])]
    return sorted(errs)

for t in ('{"name": "x", "age": 3, "emails": []}', '{"name": 5, "age": "3"}', "[1]", '{"a": }', "null"):
    print(validate(t) or "valid")
# %% dump and load through StringIO
import io, json
buf = io.StringIO()
json.dump({"a": [1, 2], "b": "é"}, buf, ensure_ascii=False)
buf.write("\n")
json.dump([True, None], buf, indent=1)
print(buf.getvalue())
buf.seek(0)
print(json.loads(buf.readline()))
print(json.load(buf))
buf.seek(0)
try:
    json.load(buf)
except ValueError as e:
    print(type(e).__name__, str(e))
# %% pulling JSON out of chatty text
import json, re
reply = 'Sure! Here you go:\n```json\n{"score": 7, "why": "it has {braces}"}\n```\nHope it helps.'
m = re.search(r"```json\n(.*?)\n```", reply, re.S)
print(json.loads(m[1]))
start = reply.index("{")
obj, end = json.JSONDecoder().raw_decode(reply, start)
print(obj["why"], reply[end:end + 4].encode())
stream, pos, out = '{"a":1} [2] "three" 4', 0, []
dec = json.JSONDecoder()
while pos < len(stream):
    val, pos = dec.raw_decode(stream, pos)
    out.append(val)
    while pos < len(stream) and stream[pos] == " ":
        pos += 1
out
# %% comparing and counting leaves
import json
doc = json.loads('{"a": [1, 2, {"b": null}], "c": {"d": [true, "x", 1.5], "e": {}}}')
def leaves(o):
    if isinstance(o, dict):
        return sum(map(leaves, o.values()))
    if isinstance(o, list):
        return sum(leaves(v) for v in o)
    return 1
depth = lambda o: 1 + max((depth(v) for v in (o.values() if isinstance(o, dict) else o)), default=0) if isinstance(o, (dict, list)) else 0
types = {}
def census(o):
    types[type(o).__name__] = types.get(type(o).__name__, 0) + 1
    for v in o.values() if isinstance(o, dict) else o if isinstance(o, list) else ():
        census(v)
census(doc)
print(leaves(doc), depth(doc))
dict(sorted(types.items()))
# %% pretty table from a list of dicts
import json
rows = json.loads('[{"name":"Ann","age":31},{"name":"Bartholomew","age":7,"pet":"cat"},{"age":null}]')
cols = list(dict.fromkeys(k for r in rows for k in r))
cell = lambda v: "" if v is None else v if isinstance(v, str) else json.dumps(v)
widths = [max(len(c), *(len(cell(r.get(c))) for r in rows)) for c in cols]
print(" | ".join(c.ljust(w) for c, w in zip(cols, widths)))
print("-+-".join("-" * w for w in widths))
for r in rows:
    print(" | ".join(f"{cell(r.get(c)):<{w}}" for c, w in zip(cols, widths)))
widths
# %% encoding strings embedded twice
import json
inner = {"q": 'say "hi"', "n": [1, None]}
once = json.dumps(inner)
twice = json.dumps(once)
print(once)
print(twice)
print(json.loads(json.loads(twice)) == inner)
event = {"Records": [{"body": json.dumps({"order": {"id": 5}})}]}
wire = json.dumps(event)
print(wire)
json.loads(json.loads(wire)["Records"][0]["body"])["order"]["id"]
# %% partial updates and null removal
import json
def patch(target, p):
    """RFC 7396 style merge patch."""
    if not isinstance(p, dict):
        return p
    target = dict(target) if isinstance(target, dict) else {}
    for k, v in p.items():
        if v is None:
            target.pop(k, None)
        else:
            target[k] = patch(target.get(k), v)
    return target

doc = {"title": "Hi", "author": {"first": "A", "last": "B"}, "tags": ["x"]}
p = json.loads('{"title": "Yo", "author": {"last": null}, "tags": [], "phone": {"home": "1", "fax": null}}')
print(json.dumps(patch(doc, p), indent=2))
print(patch(doc, {}) == doc, patch({"a": 1}, [1]), patch("str", {"a": None, "b": 2}))
strip_null = lambda o: {k: strip_null(v) for k, v in o.items() if v is not None} if isinstance(o, dict) else o
strip_null(p)
