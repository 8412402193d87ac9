# %% sub with a function
import re
def bump(m):
    return str(int(m.group()) + 1)

print(re.sub(r"\d+", bump, "v1.9.99 build 007"))
print(re.sub(r"\b[a-z]", lambda m: m.group().upper(), "make every word big"))
print(re.sub(r"(\w+)@(\w+)", lambda m: f"{m[2]}[{m[1]}]", "joe@acme sue@corp"))
prices = {"USD": 1.0, "EUR": 1.1}
re.sub(r"(\d+) (USD|EUR)", lambda m: f"{int(m[1]) * prices[m[2]]:.2f}", "10 EUR and 5 USD")
# %% named groups and groupdict
import re
LINE = re.compile(r"(?P<ts>\d{2}:\d{2}) (?P<level>[A-Z]+)\s+(?P<msg>.*)")
for raw in ["12:01 INFO  started", "12:07 ERROR disk full", "garbage"]:
    m = LINE.match(raw)
    print(m.groupdict() if m else f"no match: {raw!r}")
m = LINE.match("09:30 WARN x")
print(m["level"], m.group("ts", "msg"), m.groups(), LINE.groupindex)
try:
    print(m["nope"])
except LookupError as e:
    print(type(e).__name__, "->", e.args)
# %% group references in templates
import re
s = "Doe, Jane; Roe, Rick"
print(re.sub(r"(\w+), (\w+)", r"\2 \1", s))
print(re.sub(r"(?P<last>\w+), (?P<first>\w+)", r"\g<first> \g<last>", s))
print(re.sub(r"(\d)(\d)", r"\g<2>0\g<1>", "12 34"))
print(re.sub(r"o", r"<\g<0>>", "foo"))
print(re.sub(r"/", r"\\", "a/b"), re.sub(",", r"\n", "x,y"))
try:
    re.sub(r"(a)", r"\2", "banana")
except re.error as e:
    print(type(e).__name__)
# %% count argument and subn
import re
text = "one fish two fish red fish"
print(re.sub("fish", "cat", text, count=2))
print(re.subn("fish", "dog", text))
print(re.subn(r"\bcat\b", "dog", text))
new, n = re.subn(r"(?i)F", "ph", text, count=1)
print(new, n)
re.compile(r"\s+").subn("_", text, 3)
# %% flags
import re
text = "Alpha\nbeta\nALPHA end"
print(re.findall("alpha", text, re.I), re.findall("^alpha", text, re.I | re.M))
print(re.findall(r"^\w+$", text, flags=re.MULTILINE))
print(re.search("Alpha.beta", text), bool(re.search("Alpha.beta", text, re.DOTALL)))
print(re.search(r"(?s)beta.*", text).group())
print(re.findall(r"\w+", "naïve café", re.ASCII), re.findall(r"\w+", "naïve café"))
print(re.findall(r"(?i:A)l", "al Al AL"))
re.compile("x", re.I).flags
# %% verbose pattern with comments
import re
FLOAT = re.compile(r"""
    (?P<sign>[+-])?          # optional sign
    (?P<int>\d+)             # integer part
    (?:\.(?P<frac>\d*))?     # fraction
    (?:[eE](?P<exp>-?\d+))?  # exponent
    \Z                       # nothing else; a literal \# needs a backslash
""", re.VERBOSE)
for s in ["3.14", "-2", "6.02e23", "+1.e-5", "abc", "1.2.3"]:
    m = FLOAT.match(s)
    print(f"{s:>8}", m and {k: v for k, v in m.groupdict().items() if v is not None})
FLOAT.groups, FLOAT.match("1").groupdict(default="-")
# %% split with groups and maxsplit
import re
print(re.split(r"[,;]\s*", "a, b;c,d"))
print(re.split(r"([,;])", "a,b;c"))
print(re.split(r"\s+", " lead and trail "))
print(re.split(r"=", "k=v=w", maxsplit=1))
print(re.split(r"(?=[A-Z])", "camelCaseString"))
print(re.split(r"(-)|(\+)", "1-2+3"))
print(re.split(r"\d", "abc"), re.split("x*", "axbc"))
key, _, val = re.split(r"\s*(:|=)\s*", "name : Bob")
(key, val)
# %% finditer with spans
import re
text = "cat scatter Cat concat"
for m in re.finditer(r"cat", text, re.IGNORECASE):
    print(m.span(), m.start(), m.end(), text[slice(*m.span())], repr(text[m.end():m.end() + 1]))
marks = [" "] * len(text)
for m in re.finditer(r"\b\w", text):
    marks[m.start()] = "^"
print(text)
print("".join(marks))
[m.span(1) for m in re.finditer(r"(s)?cat", text)]
# %% findall with zero, one and many groups
import re
s = "width=10 height=20px depth="
print(re.findall(r"\w+=\d+", s))
print(re.findall(r"(\w+)=\d+", s))
print(re.findall(r"(\w+)=(\d+)(px)?", s))
print(dict(re.findall(r"(\w+)=(\d*)", s)))
print(re.findall(r"(?:wid|dep)th", s), re.findall("", "ab"))
{k: int(v) for k, v in re.findall(r"(\w+)=(\d+)", s)}
# %% methods of a compiled pattern
import re
pat = re.compile(r"(\d+)-(\d+)")
text = "pages 10-20, 33-47"
print(pat.search(text).group(), pat.match(text), pat.match(text, 6).group(0))
print(pat.fullmatch("1-2") is not None, pat.fullmatch("1-2 "))
print(pat.findall(text, 9), pat.sub(r"\2-\1", text), pat.split("a1-2b"))
print(pat.search(text, 0, 10).group(), pat.pattern, pat.groups)
print([int(b) - int(a) for a, b in pat.findall(text)])
pat
# %% match object API tour
import re
m = re.search(r"(?P<user>\w+)@(?P<host>\w+)(?:\.(?P<tld>\w+))?", "mail bob@home now")
print(m)
print(m.group(), m.group(1), m.group(1, 2), m.groups(), m.groups("none"))
print(m.start("host"), m.end(2), m.span("tld"), m.lastgroup, m.lastindex)
print(m.expand(r"\g<host>!\1"), m.string, m.pos, m.endpos, m.re.pattern[:10])
try:
    m.group(9)
except IndexError as e:
    print(type(e).__name__, e)
m[0], m["user"], bool(m)
# %% lookarounds
import re
print(re.sub(r"(?<=\d)(?=(\d{3})+$)", ",", "1234567"))
print(re.findall(r"(?<=\$)\d+", "$40 and 50 and $60"))
print(re.findall(r"\b\w+(?=!)", "wow! so cool!"))
print(re.findall(r"\b(?!un)\w+", "undo redo untie tie"))
print(re.findall(r"(?<!-)\b\d+", "5 -6 7"))
strong = re.compile(r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{6,}").fullmatch
[bool(strong(p)) for p in ("abc", "Abcdef1", "abcdef1", "ABCdef")]
# %% escaping user input
import re
terms = ["c++", "a.b", "[x]", "$5 (usd)", "plain"]
for t in terms:
    print(t, "->", re.escape(t))
any_term = re.compile("|".join(map(re.escape, terms)))
print(any_term.findall("c++ axb a.b [x] plain $5 (usd)"))
re.sub(re.escape("a.b"), "!", "a.b axb")
# %% if with walrus
import re
def classify(s: str) -> str:
    if m := re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", s):
        y, mo, d = map(int, m.groups())
        return f"date {d}/{mo}/{y}"
    elif m := re.fullmatch(r"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})", s, re.I):
        return "color " + ",".join(str(int(h, 16)) for h in m.groups())
    elif (m := re.match(r"\s*(\w+)\s*=\s*(.+)", s)) is not None:
        return f"assign {m[1]} := {m[2]}"
    return "unknown"

for s in ["2024-02-30", "#FF8000", "  x = 1 + 2", "???"]:
    print(classify(s))
# %% tokenizer with named alternation and lastgroup
import re
SPEC = [("NUM", r"\d+(?:\.\d+)?"), ("ID", r"[A-Za-z_]\w*"), ("OP", r"[-+*/=()]"), ("WS", r"\s+"), ("BAD", r".")]
MASTER = re.compile("|".join(f"(?P<{n}>{p})" for n, p in SPEC))

def tokenize(code):
    for m in MASTER.finditer(code):
        kind = m.lastgroup
        if kind == "WS":
            continue
        if kind == "BAD":
            raise SyntaxError(f"{m.group()!r} at column {m.start()}")
        yield kind, float(m[0]) if kind == "NUM" else m[0]

print(list(tokenize("area = 3.5*(w + 2)")))
list(tokenize("x = 4 ? 5"))
# %% backreferences
import re
print(re.findall(r"\b(\w+) \1\b", "it was was not the the end"))
print(re.sub(r"(.)\1+", r"\1", "aaabbbccd"))
print(re.search(r"(?P<q>['\"]).*?(?P=q)", '''say "it's" now''').group())
print([w for w in "noon level abca deed".split() if re.fullmatch(r"(.)(.)\2\1", w)])
print(re.sub(r"(.)\1*", lambda m: f"{len(m[0])}{m[1]}", "aaabccd"))
re.findall(r"<(\w+)>(.*?)</\1>", "<b>bold</b><i>it</i><u>no</x>")
# %% bad patterns
import re
for p in ["(", "[a-", "*x", "a{2,1}", "(?P<1a>x)", r"\1", "(?P<n>a)(?P<n>b)", "x)", "(?<=a+)b", "[z-a]"]:
    try:
        re.compile(p)
    except re.error as e:
        print(repr(p), type(e).__name__)
    else:
        print(repr(p), "ok")
try:
    re.search(5, "x")
except TypeError as e:
    print(type(e).__name__)
try:
    re.findall(r"\d", 123)
except (TypeError, OSError) as e:
    outcome = type(e).__name__, str(e)
else:
    outcome = "no error"
outcome
# %% greedy versus lazy
import re
html = "<p>one</p><p>two</p>"
print(re.findall(r"<p>.*</p>", html), re.findall(r"<p>.*?</p>", html), re.findall(r"<[^>]+>", html))
print(re.match(r"a{2,3}", "aaaa").group(), re.match(r"a{2,3}?", "aaaa").group())
print(re.match(r"(a+)(a*)", "aaa").groups(), re.match(r"(a+?)(a*)", "aaa").groups())
print(re.match(r"(a|ab)(c|bcd)(d*)", "abcd").groups())
re.sub(r"<.*?>", "", html)
# %% multi-line log parsing into records
import re
from collections import Counter
log = """\
2024-05-01 10:00:00 [INFO] web: start
2024-05-01 10:00:05 [ERROR] db: timeout after 30s
2024-05-01 10:01:00 [ERROR] db: timeout after 45s
2024-05-01 10:02:00 [WARN] web: slow (1200 ms)"""
rx = re.compile(r"^(\S+) (\S+) \[(\w+)\] (\w+): (.*)$", re.M)
recs = [dict(zip(("day", "time", "lvl", "svc", "msg"), g)) for g in rx.findall(log)]
print(Counter(r["lvl"] for r in recs).most_common())
print(sum(int(s) for s in re.findall(r"(\d+)s\b", log)))
print({r["svc"]: [q["time"] for q in recs if q["svc"] == r["svc"]] for r in recs})
recs[-1]
# %% camel and snake case
import re
def snake(name):
    s = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", s).lower()

camel = lambda s: re.sub(r"_([a-z])", lambda m: m.group(1).upper(), s)
for n in ("HTTPServerError", "getUserID", "simple", "parseXML2Json"):
    print(n, snake(n), camel(snake(n)), sep=" | ")
slug = lambda t: re.sub(r"[^a-z0-9]+", "-", t.lower()).strip("-")
slug("  Hello, World! -- 2nd edition ")
# %% template filling with errors
import re
def render(tpl, **values):
    def repl(m):
        name, _, fmt = m.group(1).partition("|")
        return format(values[name], fmt)
    return re.sub(r"\{\{\s*(.+?)\s*\}\}", repl, tpl)

print(render("Hi {{ name }}, you owe {{amount|.2f}} ({{ pct|.0% }})", name="Al", amount=12.5, pct=0.256))
try:
    print(render("{{ n|d }}", n="x"))
except ValueError as e:
    print(e)
try:
    print(render("Dear {{ whom }}", name="Al"))
except KeyError as e:
    print("error:", repr(e))
finally:
    print("done")
# %% optional groups and None
import re
rx = re.compile(r"(?:(\w+)://)?([\w.]+)(?::(\d+))?(/.*)?")
for u in ["http://x.org:80/a/b", "localhost", "ftp://h", "y.z/q?w"]:
    print(rx.fullmatch(u) and rx.fullmatch(u).groups(default=""))
print(re.findall(r"(a)|(b)", "ab"), [m.groups() for m in re.finditer(r"(a)|(b)", "ab")])
print(re.sub(r"(a)|b", r"[\1]", "ab"))
m = re.match(r"(x)?(y)?z", "z")
m.groups(), m.span(1), m.lastindex
# %% bytes patterns
import re
data = b"\x00id=42;\xffid=7;"
print(re.findall(rb"id=(\d+)", data))
print(re.sub(rb"\d+", lambda m: b"<%s>" % m[0], data))
print(re.split(b";", data))
print(re.search(rb"[\x80-\xff]", data).start())
try:
    re.findall("id", data)
except TypeError as e:
    print(type(e).__name__, e)
re.match(rb"(?P<nul>\x00)", data).groupdict()
# %% unicode, anchors and word boundaries
import re
s = "Ünïcödé 日本語 foo_bar x-y"
print(re.findall(r"\w+", s), re.findall(r"[^\W\d_]+", s))
print([m.start() for m in re.finditer(r"\b", "ab cd")])
print(re.findall(r"\Bo", "oo foo"), re.findall(r"^.|.$", "ab\ncd", re.M))
print(re.search(r"d$", "cd\n"), re.search(r"d\Z", "cd\n"))
print(re.sub(r"^", "> ", "l1\nl2", flags=re.M))
re.sub(r"\s+$", "", "trail  \n\n"), re.findall(r"\d", "٣4")
# %% replacing with a mapping
import re
subs = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
print(re.sub("|".join(subs), lambda m: subs[m[0]], "a<b & c>d"))
units = {"k": 10**3, "m": 10**6}
size = lambda t: int(re.sub(r"(\d+)([km])", lambda m: str(int(m[1]) * units[m[2]]), t.lower()))
print([size(t) for t in ("5k", "2M", "17")])
pattern = re.compile(r"\b(?:%s)\b" % "|".join(sorted(["cat", "cats", "dog"], key=len, reverse=True)))
print(pattern.findall("cats dog cat doge"))
re.sub(r"[aeiou]", {"a": "4", "e": "3"}.get, "leap")
# %% markdown-ish parser
import re
md = """# Title
Some *bold* text with [link](http://x.y) and `code`.
## Sub
- item 1
- item 2"""
out = []
for line in md.splitlines():
    if h := re.match(r"(#+)\s+(.*)", line):
        out.append(f"<h{len(h[1])}>{h[2]}</h{len(h[1])}>")
    elif li := re.match(r"-\s+(.*)", line):
        out.append(f"<li>{li[1]}</li>")
    else:
        for pat, rep in [(r"\*(.+?)\*", r"<b>\1</b>"), (r"\[(.+?)\]\((.+?)\)", r'<a href="\2">\1</a>'), (r"`(.+?)`", r"<code>\1</code>")]:
            line = re.sub(pat, rep, line)
        out.append(line)
print("\n".join(out))
# %- extracting the last code block from a reply
import re
reply = "Sure:\n```python\nx = 1\n```\nor\n```repl\nprint('hi')\n```\nDone. FINAL(42)"
blocks = re.findall(r"```(\w+)\n(.*?)\n```", reply, re.DOTALL)
print(blocks)
m = re.search(r"^.*FINAL\((.*?)\)", reply, re.M)
print(m.group(1) if m else None)
print(re.sub(r"```.*?```", "[code]", reply, flags=re.S))
lang, body = blocks[-1]
exec(body)
[len(b) for _, b in blocks]
# %% duration parser raising ValueError
import re
UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
def seconds(text):
    """'1h30m' -> 5400"""
    if not re.fullmatch(r"(?:\d+[dhms])+", text):
        raise ValueError(f"bad duration: {text!r}")
    return sum(int(n) * UNITS[u] for n, u in re.findall(r"(\d+)([dhms])", text))

print([seconds(t) for t in ("1h30m", "45s", "2d1s")])
for t in ("", "1x", "5"):
    try:
        seconds(t)
    except ValueError as e:
        print(e)
seconds("3 h")
# %% conditional and nested groups
import re
rx = re.compile(r"(\()?\d+(?(1)\))$")
print([bool(rx.match(s)) for s in ("(12)", "12", "(12", "12)")])
m = re.match(r"((a)(b(c)))(d)?", "abc")
print(m.groups(), m.lastindex, [m.span(i) for i in range(6)])
ip = re.compile(r"^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$")
print([bool(ip.match(a)) for a in ("192.168.1.1", "256.1.1.1", "1.2.3", "0.0.0.0")])
print(re.match(r"(?:(\w)\s*)+", "a b c").group(1))
re.findall(r"((\d)\d*)", "12 345")
# %% scanning with pos and match at
import re
ws, word, num = re.compile(r"\s*"), re.compile(r"[a-z]+"), re.compile(r"\d+")
src, pos, toks = "abc 12  de3", 0, []
while pos < len(src):
    pos = ws.match(src, pos).end()
    for name, rx in (("w", word), ("n", num)):
        if m := rx.match(src, pos):
            toks.append((name, m[0]))
            pos = m.end()
            break
    else:
        raise ValueError(f"stuck at {pos}")
print(toks)
print(re.compile("^b").match("ab", 1), re.compile("b").match("ab", 1))
try:
    print(re.search("nothing", src).group())
except BaseException as e:
    print("%s: %s" % (e.__class__.__name__, e))
# %% purge, equality and interned patterns
import re
a, b = re.compile(r"\d+"), re.compile(r"\d+")
print(a == b, a is re.compile(a), hash(a) == hash(b), a == re.compile(r"\d+", re.I))
rules = {re.compile(r"^\d+$"): "int", re.compile(r"^\d*\.\d+$"): "float", re.compile(r"^(true|false)$", re.I): "bool"}
kind = lambda s: next((k for rx, k in rules.items() if rx.match(s)), "str")
print({s: kind(s) for s in ["12", ".5", "True", "x1"]})
print(re.compile("a\n\tb"), re.compile(r"x/'y'", re.I | re.S))
re.compile("a|b").sub("", "abc", 1), isinstance(a, re.Pattern), isinstance(a.match("1"), re.Match)
# %% words of scripts with marks
import re
for text in ["नमस्ते दुनिया", "ภาษาไทย ดี", "مَرْحَبًا", "cafe\u0301 nai\u0308ve", "x² ½ cup ①", "a_b‿c", "日本語 テキスト", "\u200cab\u200dcd"]:
    print(re.findall(r"\w+", text), len(re.findall(r"\b", text)), re.split(r"\W+", text), re.sub(r"\b\w", lambda m: m[0].upper(), text))
    print([m.span() for m in re.finditer(r"\b\w+\b", text)], re.search(r"\b\w\B", text) is None, re.match(r"\w+\b", text) and re.match(r"\w+\b", text)[0], bool(re.fullmatch(r"[\w ]+", text)))
print(re.findall(r"[^\W\d]+", "é²3 व्य"), re.findall(r"(?x) \b \w+ # [ words\n \b", "व्य x"), re.findall(r"[\w-]+", "ab-व्य"))
# %% separators are white space
import re
print(re.split(r"\s", "a\x1cb\x1fc\x85d\u2003e"), re.findall(r"\S+", "a\x1db"), re.findall(r"[\s,]+", "a\x1e, b"))
# %% methods of a script's own that are called like those of builtin types
class Log:
    def __init__(self):
        self.order = []
    def join(self, items):
        for item in items:
            self.order.append(("seen", item))
            if item == 2:
                return "stopped"
    mean = join

def make(log, i):
    log.order.append(("made", i))
    return i

log = Log()
print(log.join(make(log, i) for i in range(5)), log.order)
log.order.clear()
print(log.mean(make(log, i) for i in range(5)), log.order)
# %% members that are called like statements
from re import match
from re import sub, search, compile as regex
m = match(r"(\w)", "ab")
print(m.group(1), sub("a", lambda m: m[0].upper(), "banana"), search("n", "banana").start(), regex("x").pattern)
