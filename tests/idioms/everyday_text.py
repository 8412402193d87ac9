# %% calculator tokenizer and recursive descent parser
import re

TOKEN_RE = re.compile(r"\s*(?:(?P<num>\d+\.?\d*)|(?P<op>[-+*/^()]))")

def tokenize(text):
    pos, tokens = 0, []
    text = text.rstrip()
    while pos < len(text):
        m = TOKEN_RE.match(text, pos)
        if not m:
            raise SyntaxError(f"unexpected character {text[pos]!r} at {pos}")
        pos = m.end()
        kind = m.lastgroup
        tokens.append((kind, float(m.group("num")) if kind == "num" else m.group("op")))
    return tokens

class Parser:
    def __init__(self, tokens):
        self.tokens, self.i = tokens, 0

    def peek(self):
        return self.tokens[self.i][1] if self.i < len(self.tokens) else None

    def take(self):
        tok = self.tokens[self.i]
        self.i += 1
        return tok

    def expr(self):
        value = self.term()
        while self.peek() in ("+", "-"):
            op = self.take()[1]
            rhs = self.term()
            value = value + rhs if op == "+" else value - rhs
        return value

    def term(self):
        value = self.factor()
        while self.peek() in ("*", "/"):
            if self.take()[1] == "*":
                value *= self.factor()
            else:
                value /= self.factor()
        return value

    def factor(self):
        base = self.atom()
        if self.peek() == "^":
            self.take()
            return base ** self.factor()
        return base

    def atom(self):
        if self.i >= len(self.tokens):
            raise SyntaxError("unexpected end of input")
        kind, val = self.take()
        if kind == "num":
            return val
        if val == "-":
            return -self.factor()
        if val == "(":
            inner = self.expr()
            if self.peek() != ")":
                raise SyntaxError("expected )")
            self.take()
            return inner
        raise SyntaxError(f"unexpected {val!r}")

for src in ["1 + 2 * 3", "(1 + 2) * 3", "2 ^ 3 ^ 2", "-4 / (2 - 2)", "7 $ 2", "(1 + 2", "10 / 4 - 1.5", "2 *"]:
    try:
        print(f"{src:<16} = {Parser(tokenize(src)).expr():g}")
    except (SyntaxError, ZeroDivisionError) as e:
        print(f"{src:<16} ! {type(e).__name__}: {e}")

# %% reverse polish and shunting yard
import operator

OPS = {"+": (1, operator.add), "-": (1, operator.sub), "*": (2, operator.mul), "/": (2, operator.truediv), "**": (3, operator.pow)}

def to_rpn(tokens):
    out, stack = [], []
    for tok in tokens:
        if tok in OPS:
            while stack and stack[-1] in OPS and OPS[stack[-1]][0] >= OPS[tok][0] and tok != "**":
                out.append(stack.pop())
            stack.append(tok)
        elif tok == "(":
            stack.append(tok)
        elif tok == ")":
            while stack[-1] != "(":
                out.append(stack.pop())
            stack.pop()
        else:
            out.append(tok)
    return out + stack[::-1]

def evaluate(rpn):
    stack = []
    for tok in rpn:
        if tok in OPS:
            b, a = stack.pop(), stack.pop()
            stack.append(OPS[tok][1](a, b))
        else:
            stack.append(float(tok) if "." in tok else int(tok))
    [result] = stack
    return result

for text in ["3 + 4 * 2 / ( 1 - 5 ) ** 2", "10 - 2 - 3", "2 ** 3 ** 2", "1.5 * ( 2 + 2 )"]:
    rpn = to_rpn(text.split())
    print(" ".join(rpn), "=", evaluate(rpn))
try:
    evaluate(["1", "+"])
except IndexError as e:
    print("IndexError:", e)
try:
    evaluate("1 2".split())
except ValueError as e:
    print("ValueError:", e)

# %% lisp interpreter
import math
import operator as op

def tokenize(s):
    return s.replace("(", " ( ").replace(")", " ) ").split()

def parse(tokens):
    if not tokens:
        raise SyntaxError("unexpected EOF")
    token = tokens.pop(0)
    if token == "(":
        lst = []
        while tokens[0] != ")":
            lst.append(parse(tokens))
        tokens.pop(0)
        return lst
    elif token == ")":
        raise SyntaxError("unexpected )")
    for kind in (int, float):
        try:
            return kind(token)
        except ValueError:
            pass
    return token

def standard_env():
    env = {k: v for k, v in vars(math).items() if not k.startswith("_")} if False else {}
    env.update({"+": lambda *a: sum(a), "*": lambda *a: math.prod(a), "-": op.sub, "/": op.truediv,
                "<": op.lt, ">": op.gt, "=": op.eq, "abs": abs, "list": lambda *x: list(x), "car": lambda x: x[0],
                "cdr": lambda x: x[1:], "null?": lambda x: x == [], "max": max, "pi": math.pi})
    return env

class Procedure:
    def __init__(self, params, body, env):
        self.params, self.body, self.env = params, body, env

    def __call__(self, *args):
        return evaluate(self.body, {**self.env, **dict(zip(self.params, args))})

GLOBAL = standard_env()

def evaluate(x, env=GLOBAL):
    if isinstance(x, str):
        return env[x] if x in env else GLOBAL[x]
    if not isinstance(x, list):
        return x
    head, *args = x
    if head == "if":
        test, conseq, alt = args
        return evaluate(conseq if evaluate(test, env) else alt, env)
    if head == "define":
        env[args[0]] = evaluate(args[1], env)
        return None
    if head == "lambda":
        return Procedure(args[0], args[1], env)
    proc = evaluate(head, env)
    return proc(*[evaluate(a, env) for a in args])

program = """
(define r 10)
(* pi (* r r))
(define fact (lambda (n) (if (< n 2) 1 (* n (fact (- n 1))))))
(fact 10)
(define map2 (lambda (f xs) (if (null? xs) (list) (list (f (car xs)) (map2 f (cdr xs))))))
(map2 (lambda (x) (* x x)) (list 1 2 3))
(max 3 9 2)
"""
for line in program.strip().split("\n"):
    val = evaluate(parse(tokenize(line)))
    if val is not None:
        print(line, "=>", val)
try:
    parse(tokenize(")"))
except SyntaxError as e:
    print("SyntaxError:", e)

# %% brainfuck interpreter
def run(code, inp=""):
    jumps, stack = {}, []
    for i, c in enumerate(code):
        if c == "[":
            stack.append(i)
        elif c == "]":
            j = stack.pop()
            jumps[i], jumps[j] = j, i
    tape, ptr, pc, out = [0] * 100, 0, 0, []
    inputs = iter(inp)
    while pc < len(code):
        match code[pc]:
            case ">":
                ptr += 1
            case "<":
                ptr -= 1
            case "+":
                tape[ptr] = (tape[ptr] + 1) % 256
            case "-":
                tape[ptr] = (tape[ptr] - 1) % 256
            case ".":
                out.append(chr(tape[ptr]))
            case ",":
                tape[ptr] = ord(next(inputs, "\0"))
            case "[" if tape[ptr] == 0:
                pc = jumps[pc]
            case "]" if tape[ptr]:
                pc = jumps[pc]
        pc += 1
    return "".join(out)

print(run("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+."))
print(run(",[.,]", "echo"))

# %% caesar, vigenere and rot13
import string
import codecs

def caesar(text, shift):
    result = ""
    for ch in text:
        if ch.isalpha():
            base = ord('A') if ch.isupper() else ord('a')
            result += chr((ord(ch) - base + shift) % 26 + base)
        else:
            result += ch
    return result

def vigenere(text, key, decrypt=False):
    out, k = [], 0
    for ch in text:
        if ch in string.ascii_letters:
            shift = ord(key[k % len(key)].lower()) - 97
            out.append(caesar(ch, -shift if decrypt else shift))
            k += 1
        else:
            out.append(ch)
    return "".join(out)

rot13 = str.maketrans(string.ascii_lowercase + string.ascii_uppercase,
                      string.ascii_lowercase[13:] + string.ascii_lowercase[:13] + string.ascii_uppercase[13:] + string.ascii_uppercase[:13])
message = "Hello, World!"
print(caesar(message, 3), caesar(caesar(message, 3), -3))
enc = vigenere("Attack at Dawn!", "Lemon")
print(enc, vigenere(enc, "Lemon", decrypt=True))
print(message.translate(rot13), message.translate(str.maketrans("", "", "lo")))
table = {c: i for i, c in enumerate(string.ascii_uppercase, 1)}
print(sum(table.get(c, 0) for c in "PYTHON"), string.punctuation[:5], string.digits)

# %% morse code both ways
MORSE = {'A': '.-', 'B': '-...', 'C': '-.-.', 'D': '-..', 'E': '.', 'H': '....', 'L': '.-..', 'O': '---', 'R': '.-.', 'S': '...', 'W': '.--', ' ': '/'}
REVERSE = {v: k for k, v in MORSE.items()}

encode = lambda msg: ' '.join(MORSE[c] for c in msg.upper())
decode = lambda code: ''.join(REVERSE[s] for s in code.split())

code = encode("sos hello world")
print(code)
print(decode(code).title(), decode(code).capitalize())
try:
    encode("x!")
except KeyError as e:
    print(f"cannot encode {e}")

# %% palindromes, anagrams and vowels
from collections import Counter, defaultdict

def is_palindrome(s):
    cleaned = "".join(c.lower() for c in s if c.isalnum())
    return cleaned == cleaned[::-1]

def group_anagrams(words):
    groups = defaultdict(list)
    for w in words:
        groups["".join(sorted(w))].append(w)
    return list(groups.values())

def longest_palindrome(s):
    def expand(l, r):
        while l >= 0 and r < len(s) and s[l] == s[r]:
            l, r = l - 1, r + 1
        return s[l + 1:r]
    return max((expand(i, j) for i in range(len(s)) for j in (i, i + 1)), key=len)

for s in ["A man, a plan, a canal: Panama", "hello", "No 'x' in Nixon"]:
    print(f"{s!r}: {is_palindrome(s)}")
print(group_anagrams(["eat", "tea", "tan", "ate", "nat", "bat"]))
print(longest_palindrome("forgeeksskeegfor"), Counter("listen") == Counter("silent"))
text = "The quick brown fox jumps over the lazy dog"
vowels = {v: text.lower().count(v) for v in "aeiou"}
print(vowels, max(vowels, key=vowels.get), set("abcdefghijklmnopqrstuvwxyz") <= set(text.lower()))
print(" ".join(w[::-1] for w in text.split()), text.swapcase()[:9])
print(Counter(text.replace(" ", "").lower()).most_common(3))
first = next((c for c in "swiss" if "swiss".count(c) == 1), None)
print(first, "".join(dict.fromkeys("mississippi")))

# %% word frequency report
import re
from collections import Counter

text = """It was the best of times, it was the worst of times,
it was the age of wisdom, it was the age of foolishness..."""
words = re.findall(r"[a-z']+", text.lower())
counts = Counter(words)
width = max(map(len, counts))
print(f"{'Word':<{width}} | Count | Share")
print(f"{'-' * width}-+-------+------")
for word, n in counts.most_common(5):
    print(f"{word:<{width}} | {n:^5d} | {n / len(words):>5.1%}")
print(f"{len(words)} words, {len(counts)} unique, average length {sum(map(len, words)) / len(words):.2f}")
by_len = {}
for w in sorted(set(words)):
    by_len.setdefault(len(w), []).append(w)
for n in sorted(by_len, reverse=True):
    print(n, by_len[n])
sentences = [s.strip() for s in re.split(r"[.,!?]+", text) if s.strip()]
print(sentences, text.count("\n"), len(text.splitlines()))

# %% invoice with aligned columns
from datetime import date, timedelta

items = [("Consulting", 12.5, 95), ("Hosting (monthly)", 1, 29.9), ("Domain", 2, 11.49)]
issued = date(2024, 1, 31)
print("INVOICE".center(50, "="))
print(f"Date: {issued:%Y-%m-%d}".ljust(25) + f"Due: {issued + timedelta(days=30):%d.%m.%Y}".rjust(25))
print("{:<24}{:>6}{:>9}{:>11}".format("Item", "Qty", "Price", "Amount"))
subtotal = 0
for name, qty, price in items:
    amount = qty * price
    subtotal += amount
    print(f"{name:<24}{qty:>6g}{price:>9.2f}{amount:>11,.2f}")
vat = round(subtotal * 0.21, 2)
print("-" * 50)
for label, val in {"Subtotal": subtotal, "VAT 21%": vat, "Total": subtotal + vat}.items():
    print(f"{label:>39}{val:>11,.2f}")
print("%-10s|%5d|%8.3f|%x|%s%%" % ("abc", 42, 3.14159, 255, 50))
print(f"{1234567.891:,.1f} {1234567:_} {0.000123:.2e} {255:08b} {True!s:>6} {None} {'x':*^7} {-5:+d} {5: d}")
print("{0}-{1}-{0} {name!r:>8} {d[k]} {l[1]}".format("a", "b", name="n", d={"k": 1}, l=[1, 2]))

# %% table printer for list of dicts
def print_table(rows, columns=None, align=None):
    columns = columns or list(rows[0].keys())
    align = align or {}
    widths = {c: max(len(str(c)), *(len(str(r.get(c, ""))) for r in rows)) for c in columns}
    line = "+" + "+".join("-" * (widths[c] + 2) for c in columns) + "+"
    print(line)
    print("|" + "|".join(f" {c.upper():^{widths[c]}} " for c in columns) + "|")
    print(line.replace("-", "="))
    for r in rows:
        cells = []
        for c in columns:
            v = r.get(c, "")
            a = align.get(c, ">" if isinstance(v, (int, float)) else "<")
            cells.append(f" {str(v):{a}{widths[c]}} ")
        print("|" + "|".join(cells) + "|")
    print(line)

rows = [
    {"id": 1, "name": "Alice", "score": 91.5},
    {"id": 22, "name": "Bob", "score": 8},
    {"id": 333, "name": "Christina", "active": True},
]
print_table(rows)
print_table(rows, ["name", "active"], {"name": "^"})

# %% markdown to html converter
import re

def inline(text):
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"\*(.+?)\*", r"<em>\1</em>", text)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r'<a href="\2">\1</a>', text)

def convert(md):
    html, in_list = [], False
    for line in md.splitlines():
        if in_list and not line.startswith("- "):
            html.append("</ul>")
            in_list = False
        if m := re.match(r"(#{1,6})\s+(.*)", line):
            level = len(m[1])
            html.append(f"<h{level}>{inline(m[2])}</h{level}>")
        elif line.startswith("- "):
            if not in_list:
                html.append("<ul>")
                in_list = True
            html.append(f"  <li>{inline(line[2:])}</li>")
        elif line.strip():
            html.append(f"<p>{inline(line)}</p>")
    if in_list:
        html.append("</ul>")
    return "\n".join(html)

print(convert("""# Title
Some **bold** and *nice* text with `code`.

## List
- one
- [two](http://example.com)
"""))

# %% csv and ini parsing by hand
import csv
import io

raw = 'name,city,amount\n"Smith, J.",Paris,10\nDoe,"New ""York""",20.5\n'

def parse_line(line, sep=","):
    fields, cur, quoted = [], "", False
    i = 0
    while i < len(line):
        ch = line[i]
        if quoted:
            if ch == '"' and line[i + 1:i + 2] == '"':
                cur += '"'
                i += 1
            elif ch == '"':
                quoted = False
            else:
                cur += ch
        elif ch == '"':
            quoted = True
        elif ch == sep:
            fields.append(cur)
            cur = ""
        else:
            cur += ch
        i += 1
    return fields + [cur]

mine = [parse_line(l) for l in raw.strip().split("\n")]
theirs = list(csv.reader(io.StringIO(raw)))
print(mine == theirs, mine)
for row in csv.DictReader(io.StringIO(raw)):
    print(row["name"], float(row["amount"]) * 2)
ini = """
; comment
[server]
host = localhost
port=8080
[paths]
root = /var/www = x
"""
config, section = {}, None
for lineno, line in enumerate(ini.splitlines(), 1):
    line = line.strip()
    if not line or line[0] in ";#":
        continue
    if line.startswith("[") and line.endswith("]"):
        section = config.setdefault(line[1:-1], {})
    else:
        key, _, value = line.partition("=")
        section[key.strip()] = int(value) if value.strip().isdigit() else value.strip()
print(config)
buf = io.StringIO()
w = csv.writer(buf)
w.writerow(["a", "b c", 'd"e', "f,g", None, 1.5])
print(repr(buf.getvalue()))

# %% json parser by hand
def parse_json(s):
    def ws(i):
        while i < len(s) and s[i] in " \t\n\r":
            i += 1
        return i
    def value(i):
        i = ws(i)
        ch = s[i]
        if ch == "{":
            result, i = {}, ws(i + 1)
            if s[i] == "}":
                return result, i + 1
            while True:
                key, i = string(ws(i))
                i = ws(i)
                assert s[i] == ":", f"expected ':' at {i}"
                val, i = value(i + 1)
                result[key] = val
                i = ws(i)
                if s[i] == "}":
                    return result, i + 1
                i += 1
        if ch == "[":
            result, i = [], ws(i + 1)
            if s[i] == "]":
                return result, i + 1
            while True:
                val, i = value(i)
                result.append(val)
                i = ws(i)
                if s[i] == "]":
                    return result, i + 1
                i += 1
        if ch == '"':
            return string(i)
        for word, const in (("true", True), ("false", False), ("null", None)):
            if s.startswith(word, i):
                return const, i + len(word)
        j = i
        while j < len(s) and s[j] in "+-0123456789.eE":
            j += 1
        if i == j:
            raise ValueError(f"unexpected {ch!r} at position {i}")
        num = s[i:j]
        return (float(num) if any(c in num for c in ".eE") else int(num)), j
    def string(i):
        j = i + 1
        out = []
        while s[j] != '"':
            if s[j] == "\\":
                j += 1
                out.append({"n": "\n", "t": "\t"}.get(s[j], s[j]))
            else:
                out.append(s[j])
            j += 1
        return "".join(out), j + 1
    result, end = value(0)
    return result

import json
doc = '{"a": [1, -2.5, 3e2, true, null], "b": {"c": "x\\n\\"y\\""}, "d": [], "e": {}}'
print(parse_json(doc), parse_json(doc) == json.loads(doc))
for bad in ["?", '{"a" 1}']:
    try:
        parse_json(bad)
    except (ValueError, AssertionError) as e:
        print(type(e).__name__, e)
print(json.dumps(parse_json(doc), indent=2, sort_keys=True))

# %% run length encoding and look and say
from itertools import groupby
import re

def rle(s):
    return "".join(f"{len(list(g))}{k}" for k, g in groupby(s))

def rld(s):
    return "".join(ch * int(n) for n, ch in re.findall(r"(\d+)(\D)", s))

def rle_manual(s):
    if not s:
        return []
    out, prev, count = [], s[0], 1
    for ch in s[1:]:
        if ch == prev:
            count += 1
        else:
            out.append((prev, count))
            prev, count = ch, 1
    out.append((prev, count))
    return out

def compress(s):
    return re.sub(r"(.)\1+", lambda m: f"{m.group(1)}{len(m.group())}", s)

s = "WWWWBBBWWC"
print(rle(s), rld(rle(s)) == s, rle_manual(s), compress(s))
term = "1"
for _ in range(6):
    print(term, end=" ")
    term = rle(term)
print()
print([(k, [*g]) for k, g in groupby([1, 1, 2, 3, 3], key=lambda x: x % 2 == 1)])

# %% number to words and ordinals
ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

def words(n):
    if n < 0:
        return "minus " + words(-n)
    if n < 20:
        return ONES[n]
    if n < 100:
        tens, ones = divmod(n, 10)
        return TENS[tens] + (f"-{ONES[ones]}" if ones else "")
    if n < 1000:
        hundreds, rest = divmod(n, 100)
        return ONES[hundreds] + " hundred" + (" and " + words(rest) if rest else "")
    for power, name in ((9, "billion"), (6, "million"), (3, "thousand")):
        if n >= 10 ** power:
            high, rest = divmod(n, 10 ** power)
            return f"{words(high)} {name}" + (f", {words(rest)}" if rest >= 100 else f" and {words(rest)}" if rest else "")

def ordinal(n):
    suffix = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{suffix}"

for n in (0, 7, 13, 42, 100, 342, 1001, 12345, 1_000_000, -5):
    print(f"{n:>9,}: {words(n)}")
print(", ".join(map(ordinal, [1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111])))

# %% template engine
import re

def render(template, context):
    def lookup(expr):
        obj = context
        for part in expr.strip().split("."):
            obj = obj[part] if isinstance(obj, dict) else getattr(obj, part)
        return obj

    def replace(match):
        expr, *filters = match.group(1).split("|")
        try:
            value = lookup(expr)
        except (KeyError, AttributeError):
            return f"<missing {expr.strip()}>"
        for f in filters:
            value = FILTERS[f.strip()](value)
        return str(value)

    def loop(match):
        var, seq, body = match.groups()
        return "".join(re.sub(r"{{\s*" + var + r"\s*}}", str(x), body) for x in lookup(seq))

    template = re.sub(r"{% for (\w+) in (\w+) %}(.*?){% end %}", loop, template, flags=re.S)
    return re.sub(r"{{(.*?)}}", replace, template)

FILTERS = {"upper": str.upper, "title": str.title, "len": len, "money": "${:,.2f}".format, "join": ", ".join}

print(render("Dear {{ user.name | title }}, you owe {{amount|money}} for {{items | len}} items: {{ items | join | upper }}. {{nope}}",
             {"user": {"name": "ada lovelace"}, "amount": 1234.5, "items": ["tea", "milk"]}))
print(render("<ul>{% for x in xs %}<li>{{ x }}</li>{% end %}</ul>", {"xs": [1, 2, 3]}))
from string import Template
print(Template("$who likes ${what}s, not $$").substitute(who="Tim", what="cat"))

# %% log parser with named groups
import re
from collections import Counter, defaultdict
from datetime import datetime

LOG = """2024-03-01 10:00:01,123 INFO  [auth] User alice logged in
2024-03-01 10:00:05,001 ERROR [db] Connection lost: timeout=30s
2024-03-01 10:01:00,500 WARN  [auth] Failed login for bob from 10.0.0.7
garbage line
2024-03-01 10:02:30,900 ERROR [api] GET /users/42 -> 500"""
PATTERN = re.compile(r"""
    ^(?P<ts>\d{4}-\d\d-\d\d\ \d\d:\d\d:\d\d,\d{3})\s+
    (?P<level>[A-Z]+)\s+
    \[(?P<module>\w+)\]\s+
    (?P<msg>.*)$
""", re.VERBOSE)

entries, bad = [], 0
for line in LOG.splitlines():
    if not (m := PATTERN.match(line)):
        bad += 1
        continue
    d = m.groupdict()
    d["ts"] = datetime.strptime(d["ts"], "%Y-%m-%d %H:%M:%S,%f")
    entries.append(d)
print(len(entries), "parsed,", bad, "bad", Counter(e["level"] for e in entries))
by_module = defaultdict(list)
for e in entries:
    by_module[e["module"]].append(e["msg"])
for module, msgs in sorted(by_module.items()):
    print(f"{module:>6}: {'; '.join(msgs)}")
span = entries[-1]["ts"] - entries[0]["ts"]
print(span, span.total_seconds(), entries[1]["ts"].isoformat(), entries[0]["ts"].strftime("%b %d %I:%M:%S %p"))
print(re.findall(r"\b\d{1,3}(?:\.\d{1,3}){3}\b", LOG), re.sub(r"\d+", "#", entries[-1]["msg"]))

# %% text wrapping and ascii boxes
import textwrap

def box(text, width=30, style="single"):
    tl, tr, bl, br, h, v = {"single": "┌┐└┘─│", "double": "╔╗╚╝═║"}[style]
    lines = [l for para in text.split("\n") for l in (textwrap.wrap(para, width - 4) or [""])]
    yield tl + h * (width - 2) + tr
    for l in lines:
        yield f"{v} {l:<{width - 4}} {v}"
    yield bl + h * (width - 2) + br

print("\n".join(box("The quick brown fox jumps over the lazy dog.\n\nEnd.")))
print("\n".join(box("hi", 10, style="double")))

def justify(words, width):
    lines, cur = [], []
    for w in words:
        if sum(map(len, cur)) + len(cur) + len(w) > width:
            gaps = max(len(cur) - 1, 1)
            spaces = width - sum(map(len, cur))
            q, r = divmod(spaces, gaps)
            lines.append("".join(w2 + " " * (q + (i < r) if i < len(cur) - 1 or len(cur) == 1 else 0) for i, w2 in enumerate(cur)))
            cur = []
        cur.append(w)
    return lines + [" ".join(cur).ljust(width)]

for l in justify("This is an example of text justification.".split(), 16):
    print(f"|{l}|")
print(textwrap.fill("one two three four five", 12, initial_indent="* ", subsequent_indent="  "))
print(textwrap.dedent("""\
    def f():
        return 1
    """), textwrap.shorten("hello big wide world", 14), sep="")

# %% identifier case converters
import re

def to_snake(name):
    s = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", s).lower().replace("-", "_")

def to_camel(name, upper=False):
    head, *rest = re.split(r"[_\-\s]+", name)
    return (head.title() if upper else head) + "".join(w.capitalize() for w in rest)

def to_kebab(name):
    return to_snake(name).replace("_", "-")

def slugify(title):
    title = title.lower().strip()
    title = re.sub(r"[^\w\s-]", "", title)
    return re.sub(r"[\s_-]+", "-", title).strip("-")

for name in ["HTTPResponseCode", "camelCase", "snake_case", "some-kebab"]:
    print(f"{name:<18}{to_snake(name):<20}{to_camel(to_snake(name)):<18}{to_camel(to_snake(name), True):<18}{to_kebab(name)}")
print(slugify("  Hello, World! It's   a_test -- ok "))
print("hello world".title(), "it's bob's".title(), "x".isidentifier(), "9x".isidentifier(), "über".encode("utf-8"), "ß".upper())

# %% hangman and guessing logic
def hangman(secret, guesses, lives=6):
    found, wrong = set(), []
    for g in guesses:
        g = g.lower()
        if g in found or g in wrong:
            print(f"You already tried '{g}'")
            continue
        if g in secret:
            found.add(g)
        else:
            wrong.append(g)
            lives -= 1
        masked = " ".join(c if c in found else "_" for c in secret)
        print(f"{masked}   lives: {'♥' * lives}{'·' * (6 - lives)}  wrong: {','.join(wrong) or '-'}")
        if set(secret) <= found:
            return "won"
        if lives == 0:
            return "lost"
    return "unfinished"

print(hangman("python", "etaoinshpyx"))
print(hangman("jazz", "eeqwrtyu"))

def mastermind(secret, guess):
    exact = sum(s == g for s, g in zip(secret, guess))
    colors = sum(min(secret.count(c), guess.count(c)) for c in set(guess))
    return exact, colors - exact

def wordle(secret, guess):
    marks = ["g" if a == b else "-" for a, b in zip(guess, secret)]
    left = [s for s, m in zip(secret, marks) if m != "g"]
    for i, c in enumerate(guess):
        if marks[i] == "-" and c in left:
            marks[i] = "y"
            left.remove(c)
    return "".join(marks)

print(mastermind("RGBY", "RBGG"), wordle("crane", "caner"), wordle("abbey", "babes"))

# %% validators for cards, isbn and passwords
import re

def luhn(number):
    digits = [int(d) for d in str(number) if d.isdigit()]
    odd, even = digits[-1::-2], digits[-2::-2]
    return (sum(odd) + sum(sum(divmod(2 * d, 10)) for d in even)) % 10 == 0

def isbn10(s):
    chars = s.replace("-", "")
    if not re.fullmatch(r"\d{9}[\dX]", chars):
        return False
    return sum((10 if c == "X" else int(c)) * w for c, w in zip(chars, range(10, 0, -1))) % 11 == 0

RULES = [
    (lambda p: len(p) >= 8, "at least 8 characters"),
    (lambda p: re.search(r"[A-Z]", p), "an uppercase letter"),
    (lambda p: re.search(r"\d", p), "a digit"),
    (lambda p: any(not c.isalnum() for c in p), "a symbol"),
]

def check(password):
    return [msg for rule, msg in RULES if not rule(password)]

print(luhn("4539 1488 0343 6467"), luhn(8273123273520569))
print(isbn10("3-598-21508-8"), isbn10("3-598-21507-X"), isbn10("abc"))
for p in ("Secret#123", "hello", "ABCDEFG1"):
    problems = check(p)
    print(f"{p}: {'OK' if not problems else 'needs ' + ' and '.join(problems)}")
EMAIL = re.compile(r"^[\w.+-]+@[\w-]+\.[\w.-]+$")
print([bool(EMAIL.match(e)) for e in ["a@b.co", "a.b+c@d-e.org", "bad@", "@x.y"]])
