# %% maketrans and translate
vowels = str.maketrans("aeiou", "43i0u")
print("the quick brown fox".translate(vowels))
drop = str.maketrans("", "", ".,!?")
print("Hi, there! Ok?".translate(drop))
table = str.maketrans({"<": "&lt;", ">": "&gt;", "&": None, ord("x"): "[ex]"})
print("<a&b>x".translate(table))
print("abc".translate({97: "A", 98: None, 99: 0x1F600}))
print(str.maketrans("ab", "xy", "z"))
try:
    print(str.maketrans("abc", "x"))
except BaseException as e:
    print("%s: %s" % (e.__class__.__name__, e))
# %% caesar cipher both ways
import string
def caesar(text: str, k: int) -> str:
    lo, up = string.ascii_lowercase, string.ascii_uppercase
    k %= 26
    return text.translate(str.maketrans(lo + up, lo[k:] + lo[:k] + up[k:] + up[:k]))

secret = caesar("Attack at Dawn!", 3)
print(secret, "|", caesar(secret, -3))
shift = lambda c, n: chr((ord(c) - 97 + n) % 26 + 97) if c.islower() else c
print("".join(shift(c, 13) for c in "hello World"))
for k in range(1, 26):
    if caesar("khoor", k) == "hello":
        print("shift", k)
        break
# %% format_map with a defaulting dict
class Default(dict):
    def __missing__(self, key):
        return "{" + key + "}"

print("{a} and {b}".format_map(Default(a=1)))
print("{user[name]} is {user[age]:>4}".format_map({"user": {"name": "Al", "age": 7}}))
try:
    "{a} {b}".format_map({"a": 1})
except KeyError as e:
    print(type(e).__name__, e)
"{x!r:>8}".format_map({"x": "hi"})
# %% format spec for strings
w = "code"
for spec in ("10", "<10", ">10", "^10", "*^11", "-<6", ".2", ">6.3", "=^3", "s", "0>7", "05"):
    print(f"{spec:>6} |{w:{spec}}|")
print(f"{'é':*^5}|{'':->4}|{'long text':.4}…")
try:
    f"{w:d}"
except ValueError as e:
    print(e)
try:
    f"{w:=10}"
except ValueError as e:
    print(type(e).__name__, e)
# %% format spec for integers
n, m = 1234567, -42
print(f"{n:,} {n:_} {n:>12,} {n:012d} {n:+d} {m:+} {n: d} {m: d}")
print(f"{255:b} {255:#b} {255:o} {255:#o} {255:x} {255:#X} {255:#010x} {65:c}")
print(f"{m:=+8d}|{m:<8}|{m:^8}|{m:08}|{n:e}|{n:.2f}|{n:%}")
print(f"{0b1010_1010:_b} {0xDEADBEEF:_x} {10**20:,}")
print("{:3d}|{:<3d}|{:^3d}".format(5, 5, 5), "%5d|%-5d|%05d|%+d|%x|%o" % (7, 7, 7, 7, 255, 8))
try:
    format(3, ".2d")
except ValueError as e:
    print(e)
format(True, "d"), format(True, ""), format(7, "c")
# %% format spec for floats
x = 1234.56789
print(f"{x:.2f} {x:10.1f}| {x:<10.1f}| {x:,.3f} {x:e} {x:.3E} {x:g} {x:.3g} {x:.0f}")
print(f"{0.5:.0f} {1.5:.0f} {2.5:.0f} {0.1:.20f} {1e-7} {1e16} {123456789.0} {1e15}")
print(f"{0.257:.1%} {1:%} {-0.0} {-0.0:.1f} {float('inf'):>6} {float('nan'):06}")
print(f"{1e10:g} {1e-5:g} {100000:g} {1000000:g} {3.0:g} {3.0:#g} {2.50:n}")
print(f"{3.14159:+08.2f} {x:_.1f} {x:015,.2f}", round(2.675, 2), round(-7.5), repr(0.1 + 0.2))
str(1e22), str(1.0), repr(1 / 3), f"{7:.3f}", f"{x:.10}"
# %% percent formatting
print("%s is %d years, %.1f%% done" % ("Al", 30.9, 99.5))
print("%(name)-8s|%(n)05.1f|%(n)e" % {"name": "pi", "n": 3.14159})
print("%r %s %a" % ("é\n", "é", "é"), "%c%c" % ("x", 65), "%10.3s|" % "abcdef")
print("%*d|%-*d|" % (6, 42, 6, 42), "%#x %#o %X" % (255, 8, 48879), "%i%%" % 50)
for fmt, args in [("%d", "x"), ("%s %s", "one"), ("%s", (1, 2)), ("%(a)s", {"b": 1}), ("%z", 1), ("%c", "ab")]:
    try:
        print(fmt % args)
    except (TypeError, ValueError, KeyError) as e:
        print(type(e).__name__, e)
"%s" % (None,), "%s" % [1, 2], "%.3g|%g" % (1234.5, 1e-10)
# %% textwrap helpers
import textwrap
para = "The quick brown fox jumps over the lazy dog while the supercalifragilistic cat watches quietly."
print(textwrap.fill(para, width=30))
print(textwrap.wrap(para, 24, max_lines=2, placeholder=" [...]"))
print(textwrap.shorten(para, 40))
code = """
    def f():
        return 1
"""
print(textwrap.dedent(code).strip())
print(textwrap.indent("a\n\nb", "> "))
print(textwrap.fill("bullet item text", 12, initial_indent="* ", subsequent_indent="  "))
textwrap.wrap("aaaaaaaaaaaa bb", 5), textwrap.wrap("")
# %% string constants
import string
print(string.ascii_lowercase[:5], string.digits, string.hexdigits, string.octdigits)
print(string.punctuation, len(string.printable), repr(string.whitespace))
def strength(pw):
    classes = {"lower": string.ascii_lowercase, "upper": string.ascii_uppercase, "digit": string.digits, "punct": string.punctuation}
    return [name for name, chars in classes.items() if any(c in chars for c in pw)]
print(strength("abcD1"), strength("!!!"), strength(""))
print(string.capwords("hello  wORLD  of-py"), string.capwords("a,b,c", ","))
dict(zip(string.ascii_lowercase, range(3)))
# %% string.Template
from string import Template
t = Template("Dear $name, you owe $$${amount}.${cents}")
print(t.substitute(name="Ann", amount=10, cents="05"))
print(t.safe_substitute(name="Bob"))
try:
    t.substitute({"name": "C"})
except KeyError as e:
    print("missing", e)
try:
    Template("cost: $5").substitute()
except ValueError as e:
    print(e)
print(t.template[:10])
Template("$x-$y").substitute({"x": 1}, y=[2])
# %% justification and zero filling
rows = [("Widget", 4, 3.5), ("Gadget XL", 12, 10.25)]
print("Item".ljust(12, ".") + "Qty".center(7) + "Price".rjust(8))
for name, qty, price in rows:
    print(name.ljust(12, ".") + str(qty).center(7) + f"{price:.2f}".rjust(8))
print("=" * 27)
print("42".zfill(6), "-42".zfill(6), "+7".zfill(4), "abc".zfill(2), "".zfill(2))
print("ab".center(5, "*"), "abc".center(6, "*"), "x".center(1), "a\tb".expandtabs(4), "\t".expandtabs())
"ab".ljust(5, "--")
# %% casefold and comparisons without case
print("Straße".casefold(), "Straße".lower(), "Straße".upper(), "ß".casefold() == "ss")
print("İ".lower().encode("utf8"), "ǆ".title(), "ﬁ".upper())
print(sorted(["Zed", "apple", "Éclair", "zebra"], key=str.casefold))
same = lambda a, b: a.casefold() == b.casefold()
print(same("HELLO", "hello"), same("MASSE", "Maße"))
print("they're bill's friends".title(), "hELLO wORLD".capitalize(), "aBc".swapcase())
"ὈΔΥΣΣΕΎΣ".lower()
# %% partition and rpartition
for s in ("key=value=x", "novalue", "=lead", ""):
    print(s.partition("="), s.rpartition("="))
url = "https://user@host:8080/path?q=1"
scheme, _, rest = url.partition("://")
hostport, slash, path = rest.partition("/")
host, _, port = hostport.rpartition("@")[2].partition(":")
print(scheme, host, int(port), slash + path)
name, dot, ext = "archive.tar.gz".rpartition(".")
print(name, ext, "a.b.c".rsplit(".", 1), "a  b c".split(None, 1), "a,,b".split(","))
try:
    print("abc".partition(""))
except Exception as exc:
    print(f"{type(exc).__name__}: {exc}")
# %% splitlines and keepends
text = "one\ntwo\r\nthree\rfour\n\nfive\x0bsix\u2028seven"
print(text.splitlines())
print(text.splitlines(keepends=True)[:4])
print("".split("\n"), "".splitlines(), "a\n".split("\n"), "a\n".splitlines())
print("".join(text.splitlines(True)) == text)
numbered = [f"{i:02}: {l}" for i, l in enumerate("x = 1\n\ny = 2\n".splitlines(), 1) if l]
print("\n".join(numbered))
max("a bb ccc".split(), key=len), "  spaced   out ".split(), " a b ".split(" ")
# %% removeprefix, strip families
print("test_case.py".removeprefix("test_").removesuffix(".py"))
print("abc".removeprefix("x"), "aaa".removeprefix("a"), "abcabc".removesuffix("abc"))
print("xxhixx".strip("x"), "www.example.com".lstrip("w."), "mississippi".rstrip("ip"))
print(repr("\t line \n".strip()), repr("  l".lstrip()), "[1, 2]".strip("[]").split(", "))
print("no_change".strip(""), repr("\u00a0nbsp\u3000".strip()))
"report_final_v2.pdf".rpartition(".")[0].split("_")
# %% classification predicates
samples = ["123", "abc", "ab1", "½", "²", "٣", "Ⅷ", "", " ", "Hello World", "HI", "if", "_x1", "1a", "\n", "é"]
preds = ["isdecimal", "isdigit", "isnumeric", "isalpha", "isalnum", "isidentifier", "isspace", "istitle", "isupper", "islower", "isascii", "isprintable"]
for s in samples:
    print(f"{s!r:>14}", "".join("01"[getattr(s, p)()] for p in preds))
import keyword
[w for w in ("if", "match", "x1", "None", "print") if keyword.iskeyword(w)]
# %% encode and decode round trips
s = "héllo €😀"
for enc in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-be"):
    b = s.encode(enc)
    print(enc, len(b), b.decode(enc) == s)
print("é".encode("latin-1"), "€".encode("cp1252"), "abc".encode("ascii"))
try:
    s.encode("ascii")
except UnicodeEncodeError as e:
    print(type(e).__name__, e)
    print(e.encoding, e.start, e.end, e.reason)
try:
    b"\xff\xfeabc".decode("utf-8")
except UnicodeDecodeError as e:
    print(e)
caught = None
try:
    b"caf\xe9".decode()
except UnicodeDecodeError as err:
    caught = str(err)
caught
# %! errors modes
s = "naïve €"
for mode in ("ignore", "replace", "backslashreplace", "xmlcharrefreplace", "namereplace"):
    print(mode, s.encode("ascii", errors=mode))
raw = b"ok\x80\xe2\x82end"
for mode in ("ignore", "replace", "backslashreplace"):
    print(mode, ascii(raw.decode("utf-8", mode)))
print(raw.decode("latin-1").encode("unicode_escape"), raw.decode("utf8", "surrogateescape").encode("utf8", "surrogateescape") == raw)
try:
    "x".encode("no-such-codec")
except LookupError as e:
    print(e)
bytes("é", "utf-8"), str(b"\xc3\xa9", "utf-8"), str(b"raw")
# %% join over generator expressions
nums = [3, 14, 159]
print(", ".join(str(n) for n in nums))
print("".join(c for c in "h3ll0 w0rld" if c.isalpha()))
print("|".join(f"{k}={v}" for k, v in {"a": 1, "b": [2]}.items()))
print("\n".join(" ".join(f"{x:2}" for x in row) for row in [[1, 20], [300, 4]]))
print(" ".join(w[::-1] for w in "stressed desserts".split()), "-".join("abc"), "".join([]))
try:
    ", ".join(nums)
except TypeError as e:
    print(type(e).__name__, e)
"".join(a + b for a, b in zip("ace", "bdf"))
# %% multiplication table
n = 5
header = "    " + "".join(f"{j:4}" for j in range(1, n + 1))
print(header)
print("-" * len(header))
for i in range(1, n + 1):
    print(f"{i:2} |" + "".join(f"{i * j:4}" for j in range(1, n + 1)))
for i in range(1, 4):
    print("*" * (2 * i - 1) + "." * (6 - 2 * i), end="$\n")
print(*(" " * (3 - i) + "/" + "_" * (2 * i) + "\\" for i in range(4)), sep="\n")
# %% self-documenting and nested f-strings
x, name, vals = 3.14159, "pi", [1, 2]
width, prec = 10, 3
print(f"{x=} {name=} {x=:.2f} {vals = } {len(vals)=} {x + 1 = :>8.3f}")
print(f"{x:{width}.{prec}f}|{name!r:>{width}}|{name:{'*'}^{width}}|{vals!s:<8}|{name=!s}")
print(f"{{literal}} {name.upper()} {'yes' if x > 3 else 'no'} {vals[0]} {(lambda v: v * 2)(4)}")
print(f"{', '.join(f'{v:02}' for v in vals)} {f'{x:.1f}'!r} {'a' 'b'}" f" joined {1,}")
d = {"k": {"n": 5}}
print(f"{d['k']['n']:>4} {d!r} {max(vals)!s} {not vals} {x:%} {2**10:,}")
f"""multi
{name}: {x
  :.1f}"""
# %% str.format with indices, attributes and keys
from types import SimpleNamespace
p = SimpleNamespace(x=1, y=[10, 20])
print("{0} {1} {0}".format("a", "b"), "{} {}".format(1, 2), "{a}{b}".format(b=2, a=1))
print("{0.x} {0.y[1]} {1[k]} {2[0]}".format(p, {"k": "v"}, "zed"))
print("{:{w}.{p}f}|{:>{}}|{!r}|{{}}".format(3.14159, "x", 4, "q", w=8, p=2))
for tpl in ("{}{1}", "{", "}", "{0[missing]}", "{x}", "{0.nope}", "{!z}"):
    try:
        print(tpl.format({"a": 1}))
    except (ValueError, KeyError, AttributeError, IndexError) as e:
        print(tpl, type(e).__name__, e)
"{:,} {:%} {:e}".format(10**6, 0.5, 12345)
# %% palindromes and reversals
import re
def is_pal(s: str) -> bool:
    t = re.sub(r"[^a-z0-9]", "", s.lower())
    return t == t[::-1]

print([is_pal(s) for s in ("A man, a plan, a canal: Panama", "abc", "", "No 'x' in Nixon")])
def longest(s):
    best = ""
    for i in range(len(s)):
        for a, b in ((i, i), (i, i + 1)):
            while a >= 0 and b < len(s) and s[a] == s[b]:
                a, b = a - 1, b + 1
            if b - a - 1 > len(best):
                best = s[a + 1:b]
    return best
print(longest("forgeeksskeegfor"), longest("abacdfgdcaba"))
print(" ".join("race car".split()[::-1]), "abcdef"[::-2], "abcdef"[4:1:-1], "abc"[5:], "héé"[::-1])
sum(str(n) == str(n)[::-1] for n in range(1000))
# %% anagram grouping
from collections import defaultdict
words = ["listen", "silent", "enlist", "google", "elbow", "below", "inlets", "abc"]
groups = defaultdict(list)
for w in words:
    groups["".join(sorted(w))].append(w)
for sig, ws in groups.items():
    print(f"{sig:<8}{ws}")
print([sorted(g) for g in groups.values() if len(g) > 1])
counts = lambda s: {c: s.count(c) for c in sorted(set(s))}
print(counts("google"), counts("listen") == counts("silent"))
max(groups.values(), key=len)
# %% word wrap written by hand
def wrap(text, width):
    line, length = [], 0
    for word in text.split():
        if line and length + len(line) + len(word) > width:
            yield line
            line, length = [], 0
        line.append(word)
        length += len(word)
    if line:
        yield line

def justify(words, width):
    if len(words) == 1:
        return words[0].ljust(width)
    gaps = len(words) - 1
    q, r = divmod(width - sum(map(len, words)), gaps)
    return "".join(w + " " * (q + (i < r) if i < gaps else 0) for i, w in enumerate(words))

for ws in wrap("This is an example of text justification done by hand", 16):
    print("|" + justify(ws, 16) + "|")
# %% levenshtein distance
from functools import lru_cache
def lev(a: str, b: str) -> int:
    prev = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        cur = [i]
        for j, cb in enumerate(b, 1):
            cur.append(min(prev[j] + 1, cur[-1] + 1, prev[j - 1] + (ca != cb)))
        prev = cur
    return prev[-1]

@lru_cache(maxsize=None)
def lev2(a, b):
    if not a or not b:
        return len(a) + len(b)
    if a[0] == b[0]:
        return lev2(a[1:], b[1:])
    return 1 + min(lev2(a[1:], b), lev2(a, b[1:]), lev2(a[1:], b[1:]))

for a, b in [("kitten", "sitting"), ("", "abc"), ("flaw", "lawn"), ("same", "same")]:
    print(f"{a!r} -> {b!r}: {lev(a, b)} {lev2(a, b)}")
min(["grape", "apple", "ample"], key=lambda w: lev("aple", w))
# %% slugify with unicodedata
import re, unicodedata
def slugify(value: str, sep: str = "-") -> str:
    value = unicodedata.normalize("NFKD", value).encode("ascii", "ignore").decode("ascii")
    value = re.sub(r"[^\w\s-]", "", value.lower())
    return re.sub(r"[-\s]+", sep, value).strip("-_")

for t in ("Crème Brûlée: a Recipe!", "  --Hello__World--  ", "日本", "ﬁne ½"):
    print(repr(slugify(t)))
print(slugify("A B C", "_"), unicodedata.name("é"), unicodedata.category("A"), unicodedata.lookup("SNOWMAN"))
print(len("é"), len(unicodedata.normalize("NFD", "é")), unicodedata.normalize("NFC", "e\u0301") == "é")
unicodedata.name("\n")
# %% bytes methods
b = b"Hello, World"
print(b.upper(), b.split(b", "), b.find(b"World"), b.replace(b"l", b"L", 2), b[0], b[:1], b[-5:])
print(b.hex(), b.hex(":", 4), bytes.fromhex("48 65 6c"), list(b"abc"), bytes([72, 105]), bytes(3))
print(b.startswith(b"Hell"), b"l" in b, 72 in b, b.count(b"o"), b" x ".strip(), b"a".center(5, b"*"))
print(b"-".join([b"a", b"b"]), b"%d-%s" % (5, b"z"), b"a" + b"b" * 3, b"\x00\t\n'\"\\\xff")
for f in (lambda: bytes([256]), lambda: bytes("x"), lambda: bytes.fromhex("zz"), lambda: b.index(b"q")):
    try:
        f()
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
try:
    b[0] = 104
except TypeError as e:
    print(type(e).__name__, "->", e.args)
# %! bytearray mutation
ba = bytearray(b"spam")
ba[0] = ord("S")
ba += b" eggs"
ba.append(33)
ba.extend([65, 66])
print(ba, len(ba), ba[1:4])
del ba[-2:]
ba[5:9] = b"HAM"
print(ba.decode(), ba.pop(), ba)
ba.reverse()
ba.insert(0, 0x2A)
print(bytes(ba), ba.find(b"map"), ba == b"*" + b"MAH mapS")
try:
    ba.append(300)
except ValueError as e:
    print(e)
view = memoryview(b"abcdef")[2:4]
view.tobytes(), bytearray(2), int.from_bytes(b"\x01\x00", "big"), (1025).to_bytes(2, "little")
# %% hex, ord and chr conversions
s = "Hi é"
print([ord(c) for c in s], [hex(ord(c)) for c in s], [f"{ord(c):08b}" for c in s[:2]])
print("".join(map(chr, [72, 101, 0x1F600])), chr(97 + 25), ascii("é😀\n"), repr("it's"), repr('a"b\'c'))
bits = " ".join(format(ord(c), "08b") for c in "AB")
print(bits, "".join(chr(int(b, 2)) for b in bits.split()))
print(hex(-255), oct(64), bin(10), int("ff", 16), int("0b101", 0), int("z", 36), int(" 1_000 "))
for f in (lambda: chr(-1), lambda: ord("ab"), lambda: chr(0x110000), lambda: int("12", 2), lambda: ord("")):
    try:
        f()
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
"\N{GREEK SMALL LETTER PI}\x41\u00e9\101", r"\n", "tab\there"
# %% searching: find, index, count, in
s = "banana bandana"
print(s.find("an"), s.rfind("an"), s.find("an", 2), s.find("zz"), s.index("d"), s.count("an"), s.count("ana"), s.count(""))
print("nan" in s, s.startswith(("x", "ban")), s.startswith("nan", 2), s.endswith("ana", 0, 6))
positions, i = [], s.find("an")
while i != -1:
    positions.append(i)
    i = s.find("an", i + 1)
print(positions, [k for k in range(len(s)) if s.startswith("ana", k)])
print(s.replace("an", "AN", 2), s.replace("", "."), "aaaa".replace("aa", "b"))
try:
    1 in s
except TypeError as e:
    print(e)
try:
    s.index("xyz")
except (ValueError, OSError) as e:
    outcome = type(e).__name__, str(e)
else:
    outcome = "no error"
outcome
# %% run-length and vowels and titles
from itertools import groupby
rle = lambda s: "".join(f"{k}{len(list(g))}" for k, g in groupby(s))
def unrle(s):
    out, num, ch = [], "", ""
    for c in s + "\0":
        if c.isdigit():
            num += c
        else:
            if num:
                out.append(ch * int(num))
            ch, num = c, ""
    return "".join(out)

print(rle("aaabbc"), unrle(rle("wwwwb")), unrle("x12"))
print(sum(c in "aeiou" for c in "education".lower()), sum(map("banana".count, set("an"))))
pig = lambda w: (w[1:] + w[0] + "ay") if w[0] not in "aeiou" else w + "way"
print(" ".join(map(pig, "hello apple".split())))
print("Hello" * 2 + "!" * 0, "a" < "b" < "ba", "Z" < "a", "10" < "9", max("hello"), sorted("hello", reverse=True))
"hello"[1] + "hello"[-1], "abc" == "ab" "c", "hello"[10]
# %% roman numerals and number words
def roman(n):
    vals = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    out = ""
    for v, s in vals:
        q, n = divmod(n, v)
        out += s * q
    return out

def unroman(s):
    d = dict(zip("IVXLCDM", (1, 5, 10, 50, 100, 500, 1000)))
    return sum(-d[a] if d[a] < d.get(b, 0) else d[a] for a, b in zip(s, s[1:] + " "))

print([roman(n) for n in (4, 9, 14, 1994, 2024)])
print(all(unroman(roman(n)) == n for n in range(1, 400)))
try:
    print(unroman("MCMXCQ"))
except KeyError as e:
    print("error:", repr(e))
finally:
    print("done")
# %% simple report with aligned columns
from dataclasses import dataclass
@dataclass
class Line:
    item: str
    qty: int
    price: float

    def __format__(self, spec):
        if spec == "short":
            return f"{self.item}x{self.qty}"
        return f"{self.item:<10.10}{self.qty:>5d}{self.price:>10.2f}{self.qty * self.price:>12,.2f}"

    def __str__(self):
        return f"<{self:short}>"

lines = [Line("paperclips", 1200, 0.05), Line("an overlong name", 3, 1999.99)]
for l in lines:
    print(f"{l}", format(l, "short"), l, sep="|")
total = sum(l.qty * l.price for l in lines)
print(f"{'TOTAL':-<25}{total:->12,.2f}")
lines[0]
# %% string multiplication, immutability and concatenation errors
s = "abc"
for f in (lambda: s + 1, lambda: s * "x", lambda: s - "a", lambda: s[1.0], lambda: s["a"], lambda: int(s), lambda: float("1.2.3"), lambda: s.foo(), lambda: s.join(5), lambda: s.split(""), lambda: len(5), lambda: s < 1):
    try:
        f()
    except Exception as e:
        print(f"{type(e).__name__}: {e}")
t = s
s += "d"
print(t, s, s * 0 == "", 2 * "ab", "a" "b" + "c")
try:
    t[0] = "z"
except BaseException as e:
    print("%s: %s" % (e.__class__.__name__, e))
