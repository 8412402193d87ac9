# %% patterns that Monty reads otherwise
import re
for p, s in [(r"{name}", "a {name} b"), (r"\{(\w+)}", "{x} {y}"), (r"{.*}", "z {a} {b}"), (r"[^[\]]+", "[a][b]"), (r"[[\]]", "[x]"), (r"x{,2}", "xxx"), (r"a{x}", "a{x}"),
        (r"[&&]", "a&b"), (r"[a--]", "-a"), (r"^\d+$", "123\n"), (r"\w+\Z", "abc\n"), (r"a|b|", "abc"), (r"(a)|(b)", "ab"), (r"\d*", "a12b3"), (r"\s*,\s*", "a , b,c"),
        (r"(?i)HELLO", "hello Hello"), (r"(?m)^\w+$", "ab\ncd\n"), (r"(?s).+", "a\nb"), (r"(?x) a  b # c", "ab"), (r"[\w.]+@[\w.]+", "x.y@z.com, q@w"), (r"[\d\-/]+", "1-2/3"),
        (r"(?<=\$)\d+", "$5 $66"), (r"\$\d+(?:\.\d{2})?", "$5.00 $6"), (r"\bfoo\b", "foo food"), (r"(\w)(\w)?", "abc"), (r"\t|\n", "a\tb\nc"), (r"\x41\u0042", "AB"), (r"[\u4e00-\u9fff]+", "ab日本"), (r"(?:a|b)??", "ab"), (r"\"(.*?)\"", '"a" "b"'), (r"\/", "a/b"), (r"[ \t]+$", "x  \ny  ")]:
    try:
        print(p, re.findall(p, s), [m.span() for m in re.finditer(p, s)], re.split(p, s), re.sub(p, "<\\g<0>>", s), re.subn(p, "-", s, 1))
        for f in (re.match, re.search, re.fullmatch):
            m = f(p, s)
            print(m, m and m.groups(), end=" ")
        c = re.compile(p)
        print(c.groups, c.groupindex, c.search(s, 1), c.match(s, 1), c.findall(s, 1, 3), c.split(s, 1), c.flags, c.pattern == p)
    except re.error as e:
        print(p, "error", e)
# %% bad patterns and templates say where
import re
for p in ["(", "[a-", "*x", "a{2,1}", "(?P<1a>x)", r"\1", "(?P<n>a)(?P<n>b)", "x)", "(?<=a+)b", "[z-a]", "a**", r"\q", "(?P<a", "(?P=zz)", "x{2}{3}", "(?z)", "a(?i)b", r"[\w-z]", "^*", "\\", "(a\\1)", "(?P<a>x)(?P=a)\\1"]:
    try:
        print(p, re.compile(p).groups)
    except re.error as e:
        print(p, "|", e, "|", e.msg, e.pos)
for t in [r"\2", r"\g<x>", r"\g<9>", r"\q", "\\", r"\g<1", r"a\0b", r"\101", r"\n\\", r"\g<0>\1"]:
    try:
        print(repr(re.sub("(a)", t, "banana")))
    except (re.error, IndexError) as e:
        print(t, "|", e)
# %% attributes of matches and patterns
import re
p = re.compile(r"(?P<k>\w+)=(?P<v>\d+)?(x())?")
for m in p.finditer("a=1 b= c=3x"):
    print(m.lastgroup, m.lastindex, m.re.pattern, m.re is p, m.pos, m.endpos, m.string, m.regs, m.expand(r"\g<v>:\1"), m.groupdict(), m["k"], m.span("v"), isinstance(m, re.Match))
print(p, isinstance(p, re.Pattern), p == re.compile(p.pattern), {p: 1}[p], p.groupindex, p.flags)
f = p.sub
print(f("-", "a=1 b"), list(map(re.compile("a$").match, ["a", "b", "a\n"])), re.compile("a$", re.I).fullmatch("A"))
print(re.sub("a", {"a": "b"}.get, "cab"), re.sub(r"(?P<y>\d{4})", lambda m: m["y"][2:], "in 2024"), re.split("(,)", "a,b"), re.escape("a.b*c"))
print(re.findall(r"\w+", "naïve café", re.A), re.findall(r"\bna", "ïna", re.ASCII), re.findall(r"[\W]", "aé ", re.A))
# %% decoders, hooks and errors of json
import json
for s in ['{"a": 1,}', '[1, 2', '{"a" 1}', "{'a': 1}", '', 'nul', '"abc', '"a\\q"', '[1 2]', '{"a": 1} x', '"\\u12"', '[1,]', '{"a":', '-', '01', '"a\nb"']:
    try:
        print(json.loads(s))
    except json.JSONDecodeError as e:
        print(e, "|", e.msg, e.pos, e.lineno, e.colno, e.doc == s)
print(json.loads('{"a": [1, 2.5, -3e2, "x\\u00e9\\ud83d\\ude00\\n", null, true, {"b": {}}, []]}', object_pairs_hook=list))
d = json.JSONDecoder()
print(d.raw_decode('{"a": 1} tail'), d.raw_decode('xx [1, 2] y', 3), d.decode(' [1] '))
for t in ["no json", " {}"]:
    try:
        print(d.raw_decode(t))
    except ValueError as err:
        print(err, err.pos)
print(list(map(json.loads, ["1", "[2]"])), json.loads(b"[1]"), json.JSONEncoder().encode({"a": (1,)}), json.JSONDecoder(object_hook=lambda d: sorted(d)).decode('{"b": 1, "a": {}}'))
try:
    raise json.JSONDecodeError("bad", "ab\ncd", 4)
except json.JSONDecodeError as e:
    print(e, e.lineno, e.doc)
print(json.loads('[1, 2.5]', parse_int=str, parse_float=lambda s: s + "f"))
import io
print(json.load(io.StringIO('{"a": 1}')))
f = io.StringIO()
json.dump({"a": [1]}, f, indent=1)
f.getvalue()
# %% calendars and timestamps
from datetime import datetime, date, timedelta, timezone
import datetime as dt
d = datetime(2024, 12, 30, 5, 6, 7)
print(d.isocalendar()[1], d.isocalendar()[:2], d.isocalendar().week, date(2021, 1, 3).isocalendar() == (2020, 53, 7), d.ctime(), d.toordinal(), date.fromordinal(738000), d.timetuple().tm_yday, d.timetuple()[:6], d.date().timetuple().tm_hour)
y, w, wd = date(2020, 12, 31).isocalendar()
print(y, w, wd, date.fromisocalendar(2020, 53, 5), datetime.fromtimestamp(0, timezone.utc), datetime.fromtimestamp(1.5, tz=timezone.utc), datetime.utcfromtimestamp(1700000000), dt.datetime.fromtimestamp(86400, dt.timezone(timedelta(hours=2))), datetime.strptime("14:30", "%H:%M"), datetime.strptime("2024-03", "%Y-%m"), datetime.strptime("2024-01-02 03:04:05", "%Y-%m-%d %H:%M:%S"), dt.datetime.strptime("5 March 2020", "%d %B %Y"))
for k in range(-800, 800, 37):
    x = date(2020, 1, 1) + timedelta(days=k)
    iso = x.isocalendar()
    assert date.fromisocalendar(iso[0], iso[1], iso[2]) == x
print([tuple(date(y, 1, 1).isocalendar()) for y in range(1999, 2012)], [date(y, 12, 31).isocalendar().week for y in range(1999, 2012)], date(2024, 2, 3).isocalendar())
print(d.utctimetuple().tm_isdst, datetime.combine(date(2020, 1, 1), datetime.min.time()), date.max, sorted({x.isocalendar()[1] for x in (date(2024, 1, 1), date(2024, 1, 8))}))
# %% timedeltas of fractions and keywords after spread ones
from datetime import timedelta, datetime
import datetime as dt
x = 1.5
print(timedelta(hours=x), timedelta(0.1), dt.timedelta(seconds=1e-7), timedelta(seconds=2.5000005), timedelta(seconds=-1.5), timedelta(days=1, hours=-2.25), timedelta(microseconds=0.5), timedelta(microseconds=1.5), timedelta(weeks=x, minutes=1))
n = 3
print(timedelta(days=n) + datetime(2024, 1, 1), timedelta(n), [timedelta(minutes=m) for m in (1, 2.5)])
def f(*a, **k):
    return a, k
a = {"x": 1}
print(f(**a, y=2), f(1, z=3, **a, y=(4), w=[5]), dict(**a, y=a["x"]), dict(**a, **{"q": 1}, r=2))
# %% encodings and dunder attributes
print("€“é".encode("cp1252"), b"\x80\x93\xe9".decode("cp1252"), "é".encode("windows-1252"), b"a\x81".decode("cp1252", "replace"), b"\xe9".decode("latin_1"))
for f in (lambda: "a日".encode("cp1252"), lambda: b"\x81".decode("cp1252"), lambda: "a日本".encode("latin-1")):
    try:
        print(f())
    except ValueError as e:
        print(type(e).__name__, e)
print(hasattr([], "__next__"), hasattr("", "__iter__"), hasattr(5, "__len__"), hasattr(5, "__add__"), hasattr({}, "__getitem__"), hasattr(iter([]), "__next__"), hasattr("a", "__neg__"), hasattr(3.5, "__iter__"), hasattr(None, "__len__"))
# %% names imported from re and json, parts of dates
from re import findall, sub as replace, compile
from json import loads, JSONDecodeError
print(findall(r"\d$", "a1\n"), replace("(a)", r"<\1>", "cab"), compile("x*").findall("axx"))
def f():
    from re import split
    return split("x*", "axb")
print(f(), "a\\u00e9\\n\\x41\\\\".encode("latin-1").decode("unicode_escape"), "é\n€😀\\".encode("unicode_escape"))
try:
    loads("[1 2]")
except JSONDecodeError as e:
    print(e.msg, e.pos)
from datetime import datetime, date, time
for t, f in [("2024-01-01 x", "%Y-%m-%d"), ("12:61", "%H:%M"), ("x", "%Y"), ("2024", "%Y"), ("Mar 2024", "%b %Y"), ("10:20:30.5", "%H:%M:%S.%f"), ("2024-02-30", "%Y-%m-%d"), ("30/02/2024 10:00", "%d/%m/%Y %H:%M"), ("2023-02-29T01", "%Y-%m-%dT%H"), ("2024-13-01", "%Y-%m-%d"), ("2024-1-32", "%Y-%m-%d"), ("", "%Y"), ("Jan 5", "%b %d"), ("31/12", "%d/%m")]:
    try:
        print(datetime.strptime(t, f))
    except ValueError as e:
        print(e)
print(datetime.combine(date(2024, 1, 2), time(3, 4)), datetime.strptime("2024-05-06", "%Y-%m-%d").date().isocalendar()[1])
# %% bytearrays
ba = bytearray(b"spam")
ba[0] = ord("S")
ba.append(33)
ba.extend([65, 66])
print(ba, len(ba), ba[1:4], bool(ba), bool(bytearray()), ba[0], ba[-1])
del ba[-2:]
ba[1:3] = b"HAMX"
print(ba.decode(), ba.pop(), ba, bytes(ba), b"S" in ba, 83 in ba, list(ba)[:2], ba == b"x", b"SHAMXm" == ba)
n = 30
flags = bytearray([1]) * (n + 1)
flags[:2] = b"\0\0"
for p in range(2, 6):
    if flags[p]:
        flags[p * p::p] = bytes(len(range(p * p, n + 1, p)))
print([i for i, f in enumerate(flags) if f], sum(flags), flags.count(1), isinstance(flags, (bytes, bytearray)), type(flags).__name__)
for f in (lambda: ba.append(300), lambda: ba[99], lambda: bytearray("x")):
    try:
        print(f())
    except (TypeError, ValueError, IndexError) as e:
        print(type(e).__name__, e)
if not bytearray(0): print("empty", bytearray(3), bytearray("é", "utf-8"), f"{ba}", bytearray.fromhex("00ff") if False else "")
import time
print(time.strptime("2024-01-02", "%Y-%m-%d").tm_yday, time.ctime(0), time.strftime("%Y", time.gmtime(0)))
# %% iterators of matches and modules by other names
import re as regex
import json as js
it = regex.finditer(r"\d", "a1b2")
print(next(it).group(), next(it).group(), next(it, None), [m.group() for m in regex.finditer("b|c$", "abc\n")])
m = next(regex.compile(r"\w+").finditer("one two"), None)
print(m, regex.findall(r"x$", "x\n"), regex.compile("a").fullmatch("a"))
for m in regex.finditer(r"(\w)=(\w)", "a=1 b=2"):
    print(m.group(1), end=" ")
first = next((m.start() for m in regex.finditer("o", "foo")), -1)
try:
    js.loads("{")
except js.JSONDecodeError as e:
    print(first, e.pos, e.msg)
words = list(map(regex.escape, ["a.b"]))
print(words, list(filter(regex.compile("^a").match, ["ab", "ba"])))
# %% numbers, slices and dunder methods
print(float.fromhex("0x1.8p+1"), float.fromhex("-1.5"), float.fromhex("0x1p-1074"), pow(3, -1, 11), pow(2, -3, 7), pow(3, 2, 5), (3+4j).conjugate(), (2.5).is_integer())
print(slice(None, 5).indices(3), slice(-2, None).indices(10), slice(None, None, -1).indices(4), slice(5, 1, -2).indices(10), range(3, 20, 4).index(11), range(5).count(3), {1, 2} >= {1: 2}.keys(), {"a": 1}.items() <= {"a": 1, "b": 2}.items(), not {"a"} <= {}.keys(), {}.keys() < {1: 1}.keys() < {1: 1, 2: 2}.keys())
print((5).__ne__(5), "a".__ne__("b"), (5).__add__(2), (5).__add__("x"), [1].__eq__([1]), "a".__eq__(1), list(map((3).__lt__, [1, 5])), (2).__pow__(3), {1}.__or__({2}), [1, 2].__contains__(2), "x".__hash__() == hash("x"))
print(list(map("abc".__contains__, "axb")), sum(map(str.__ne__, "abc", "abd")), list(map(int.__add__, [1], [2])), bytes([1, 2]), b"a" + b"b", bytes(range(3)))
print("é".encode("latin-1"), b"\xe9".decode("latin-1"), "aé".encode("iso-8859-1"), "x".encode("utf-8"), "é€".encode("latin-1", "replace"), "ab€".encode("latin-1", errors="ignore"))
try:
    "a€".encode("latin-1")
except UnicodeEncodeError as e:
    print(e)
import unicodedata
print(unicodedata.numeric("½"), unicodedata.numeric("7"), unicodedata.digit("٣"), unicodedata.decimal("3"))
it = iter([1, 2, 3])
print(list(iter(it.__next__, 3)))
s = {1}
print(s.pop(), s, {}.keys() <= {1}, [x for x in (1, 2)].__len__(), str.__len__("abc"))
# %% numbers by their bits and bytes
import math
for n in [0, 1, -1, 255, 256, -256, 2**63 - 1, -2**63, 2**64, 10**30, -10**30, True]:
    print(n, n.bit_length(), n.bit_count(), n.as_integer_ratio(), n.conjugate(), n.real, n.imag, n.numerator, n.denominator)
    for size in (1, 8, 16):
        for order in ("big", "little"):
            for signed in (False, True):
                try:
                    raw = n.to_bytes(size, order, signed=signed)
                    print(raw.hex(), int.from_bytes(raw, order, signed=signed) == n)
                except OverflowError as e:
                    print("OverflowError", e)
print((5).to_bytes(), int.from_bytes(b"\x01\x02"), int.from_bytes([1, 255], byteorder="little"), (65).to_bytes(length=2, byteorder="big"))
for call in (lambda: (1).to_bytes(-1), lambda: (1).to_bytes(1, "middle"), lambda: int.from_bytes("ab"), lambda: int.from_bytes([300])):
    try:
        call()
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
print(list(map(int.bit_length, [1, 2, 4])), sorted([7, 8, 3], key=int.bit_count), getattr(5, "bit_length")(), hasattr(5, "real"), hasattr("x", "bit_length"))
# %% floats as fractions and in hexadecimal digits
for x in [0.0, -0.0, 1.0, 0.1, -2.5, 1e300, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 3.14159, float("inf"), float("-inf"), float("nan")]:
    print(x.hex(), x.is_integer(), x.real, x.imag, x.conjugate())
    try:
        print(x.as_integer_ratio(), float.fromhex(x.hex()) == x)
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
for text in ["0x1.8p3", "1.8", "-0x.8p-1", "0x1p-1074", "0x1p-1080", "ff", " 0xA.Bp+2 ", "inf", "0x1.ffffffffffffffp0", "0x0p5", "+0x1p1023"]:
    print(text, float.fromhex(text))
for text in ["", "0x", "xyz", "0x1p", "0x1p1024", "0x1p99999999999"]:
    try:
        print(float.fromhex(text))
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
# %% tables of characters
table = str.maketrans("aeiou", "AEIOU", "!?")
print("hello, world!? über".translate(table), table == {97: 65, 101: 69, 105: 73, 111: 79, 117: 85, 33: None, 63: None})
print("a-b".translate({45: "--", "a": "x"}), "a-b".translate(str.maketrans({"-": None, 97: "xyz"})), "x".maketrans("x", "y"))
class Upper:
    def __getitem__(self, point):
        if point == 98:
            raise LookupError
        return chr(point).upper()
print("abc".translate(Upper()), "abc".translate(["x"] * 98), "日本".translate({26085: 0x1F600}))
from collections import defaultdict
seen = defaultdict(lambda: "?", {97: "A"})
print("abab".translate(seen), dict(seen))
class Table(dict):
    def __missing__(self, point):
        return f"<{point}>"
print("ab".translate(Table({97: None})))
for call in (lambda: str.maketrans("ab", "a"), lambda: str.maketrans({"ab": 1}), lambda: str.maketrans(5), lambda: "a".translate({97: 1.5}), lambda: "a".translate({97: -1}), lambda: "a".translate(5)):
    try:
        print(call())
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
print(list(map(str.lower, ["A"])), "{a} {b.real} {c[0]} {d:>{w}} {{x}} {a!r}".format_map({"a": "A", "b": 2, "c": [3], "d": "d", "w": 4}))
class Default(dict):
    def __missing__(self, key):
        return "{" + key + "}"
print("{x} and {y}".format_map(Default(x=1)))
try:
    "{x}".format_map({})
except KeyError as e:
    print("KeyError", e)
# %% any number of sets
a = {1, 2, 3, 4}
print(sorted(a.union([5], {6}, "7" * 0)), sorted(a.intersection({1, 2}, [2, 3])), sorted(a.difference([1], [2])), a.union() == a, a.union() is a)
b = frozenset(a)
print(sorted(b.union([9], [10])), type(b.union([9], [10])).__name__, sorted(b.intersection([1], [1, 2])), sorted(b.difference()))
a.update([10], {11: 1}, "x" * 0)
a.difference_update([1], (2,))
print(sorted(a))
a.intersection_update([3, 4, 10], {3, 10})
print(sorted(a), a.intersection_update())
alias = a
a.symmetric_difference_update([3, 99])
print(sorted(a), alias is a, a.difference_update(a), a)
parts = [{1, 2, 3}, {2, 3}, {3, 4}]
print(set.intersection(*parts), set().union(*parts), set.union(*parts), sorted(map(set.union, [{1}], [{2}])))
for call in (lambda: {1}.update(5, [1]), lambda: {1}.union([1], [[]]), lambda: {1}.update([1], x=1)):
    try:
        print(call())
    except TypeError as e:
        print("TypeError")
# %% positions in ranges, and slices of lengths
r = range(10, 0, -3)
print(r.index(4), r.count(7), r.count(8), r.index(7.0), range(3).index(True), slice(1, None, 2).indices(5), slice(None, None, -1).indices(4), slice(-3, 100).indices(5))
for call in (lambda: r.index(5), lambda: r.index("x"), lambda: slice(1).indices(-1)):
    try:
        print(call())
    except ValueError as e:
        print("ValueError", e)
# %% not a number and itself
from collections import Counter
x, y = float("nan"), float("nan")
print(x in [x], x in [y], len({x, y}), len({x, x}), Counter([x, y, x]).most_common(1)[0][1], [x] == [x], [x] == [y], x is x, x is y, (x,).index(x), {x: 1}.get(x), {x: 1}.get(y))
import json, math
print(len({math.nan, math.nan}), math.nan in [math.nan], x != x, -x != -x, str(x), f"{x:.2f}", json.dumps([x]), sorted([2.0, 1.0]))
# %% texts of floats between two
import json, random
stamps = [1700000000000000] * 3 + [1700000000000001]
print(sum(stamps) / len(stamps), 1e15 - 3.7, json.dumps([1e15 - 3.7]), f"{2**52 + 0.5}", 2.0**54 * 10 + 50, 5e22 + 2**24)
rng = random.Random(7)
out = []
for bits in range(38, 60):
    for _ in range(40):
        whole = rng.getrandbits(bits)
        for part in (0.5, 0.25, 0.125, 0.0625, 0.75):
            out.append(repr(whole + part))
for bits in range(54, 130):
    for _ in range(10):
        out.append(repr(float(rng.getrandbits(bits) * 5**rng.randrange(0, 20))))
import hashlib
print(hashlib.sha256(" ".join(out).encode()).hexdigest(), out[:3], -1700000000000000.25)
