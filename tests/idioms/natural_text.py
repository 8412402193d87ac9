# %% word frequencies of the notes
import re
from collections import Counter

STOPWORDS = {"the", "a", "an", "and", "of", "in", "it", "is", "was", "on", "to", "who", "by", "for", "its"}

notes = context.split("=== notes.txt ===")[1]
words = re.findall(r"[a-zA-Zé'-]+", notes.lower())
counts = Counter(w for w in words if w not in STOPWORDS)
print(f"{len(words)} words, {len(set(words))} unique")
for word, n in counts.most_common(8):
    print(f"{word:<12} {n:>3} {'*' * n}")
hapax = sorted(w for w, n in counts.items() if n == 1)
print(f"{len(hapax)} words appear once, e.g. {hapax[:5]}")

# %% readability score
import re

def count_syllables(word):
    word = word.lower()
    groups = re.findall(r"[aeiouy]+", word)
    n = len(groups)
    if word.endswith("e") and not word.endswith("le") and n > 1:
        n -= 1
    return max(n, 1)

def flesch(text):
    sentences = [s for s in re.split(r"[.!?]+(?:\s|$)", text) if s.strip()]
    words = re.findall(r"\b[A-Za-z]+\b", text)
    syllables = sum(count_syllables(w) for w in words)
    asl = len(words) / len(sentences)
    asw = syllables / len(words)
    return {"sentences": len(sentences), "words": len(words), "asl": round(asl, 2),
            "asw": round(asw, 3), "score": round(206.835 - 1.015 * asl - 84.6 * asw, 1)}

text = context.split("=== notes.txt ===")[1].strip()
for i, para in enumerate(text.split("\n\n")):
    stats = flesch(para)
    print(f"Paragraph {i + 1}: " + ", ".join(f"{k}={v}" for k, v in stats.items()))

# %% bigrams and trigrams
import re
from collections import Counter

def ngrams(tokens, n):
    return zip(*(tokens[i:] for i in range(n)))

text = context[context.find("=== notes.txt"):]
tokens = re.sub(r"[^\w\s]", " ", text.lower()).split()
for n in (2, 3):
    counter = Counter(ngrams(tokens, n))
    print(f"Top {n}-grams:")
    for gram, c in sorted(counter.items(), key=lambda x: (-x[1], x[0]))[:5]:
        print(f"  {' '.join(gram)!r}: {c}")

# %% question answer pairs
import re
from dataclasses import dataclass

@dataclass
class QA:
    question: str
    answer: str

    @property
    def n_words(self):
        return len(self.answer.split())

pairs = [QA(q.strip(), a.strip()) for q, a in re.findall(r"^Q: (.+)\nA: (.+)$", context, re.MULTILINE)]
for i, qa in enumerate(pairs, 1):
    print(f"{i}. {qa.question}\n   -> {qa.answer[:50]}... ({qa.n_words} words)")
longest = max(pairs, key=lambda p: p.n_words)
print("Longest answer:", longest.question)
secret = re.search(r"[A-Z]{4,}-\d{4}", " ".join(p.answer for p in pairs))
print("Secret:", secret.group() if secret else None)

# %% sentence splitter with abbreviations
import re

ABBREV = {"dr.", "mr.", "mrs.", "e.g.", "i.e.", "etc."}

def split_sentences(text):
    sentences, current = [], []
    for token in text.split():
        current.append(token)
        if token[-1] in ".!?" or token[-2:] in ('."', '!"', '?"'):
            if token.lower() not in ABBREV and not re.fullmatch(r"[A-Z]\.", token):
                sentences.append(" ".join(current))
                current = []
    if current:
        sentences.append(" ".join(current))
    return sentences

text = 'Dr. Okafor came at 5 p.m. on Monday. She said "no!" Then J. Smith left. Was it e.g. rain? Nobody knows'
for i, s in enumerate(split_sentences(text)):
    print(f"[{i}] {s}")
lengths = [len(s.split()) for s in split_sentences(text)]
print(f"mean={sum(lengths) / len(lengths):.2f} max={max(lengths)}")

# %% tf idf ranking
import math
import re
from collections import Counter, defaultdict

docs = {
    "d1": "the cat sat on the mat",
    "d2": "the dog chased the cat",
    "d3": "dogs and cats living together",
    "d4": "the stock market fell sharply on monday",
}
tokenized = {k: re.findall(r"\w+", v.lower()) for k, v in docs.items()}
df = Counter()
for toks in tokenized.values():
    df.update(set(toks))

def idf(term):
    return math.log((1 + len(docs)) / (1 + df[term])) + 1

def vector(tokens):
    tf = Counter(tokens)
    return {t: (c / len(tokens)) * idf(t) for t, c in tf.items()}

def cosine(a, b):
    dot = sum(a[t] * b[t] for t in a.keys() & b.keys())
    na = math.sqrt(sum(v * v for v in a.values()))
    nb = math.sqrt(sum(v * v for v in b.values()))
    return dot / (na * nb) if na and nb else 0.0

vectors = {k: vector(t) for k, t in tokenized.items()}
query = vector(["cat", "mat"])
ranking = sorted(((cosine(query, v), k) for k, v in vectors.items()), reverse=True)
for score, k in ranking:
    print(f"{k}: {score:.4f}  {docs[k]}")

# %% text statistics class
import re
import statistics
from collections import Counter

class TextStats:
    def __init__(self, text):
        self.text = text
        self.words = re.findall(r"[^\W\d_]+", text)
        self.lines = text.splitlines()

    @property
    def avg_word_length(self):
        return statistics.mean(len(w) for w in self.words)

    @property
    def lexical_diversity(self):
        return len({w.lower() for w in self.words}) / len(self.words)

    def length_distribution(self):
        return dict(sorted(Counter(map(len, self.words)).items()))

    def report(self):
        return "\n".join([
            f"characters: {len(self.text):,}",
            f"words:      {len(self.words):,}",
            f"lines:      {len(self.lines):,} ({sum(not l.strip() for l in self.lines)} blank)",
            f"avg word:   {self.avg_word_length:.2f}",
            f"diversity:  {self.lexical_diversity:.1%}",
        ])

stats = TextStats(context)
print(stats.report())
print(stats.length_distribution())

# %% letter frequencies
from collections import Counter
import string

letters = [c for c in context.lower() if c in string.ascii_lowercase]
freq = Counter(letters)
total = sum(freq.values())
print(f"{total} letters")
for letter in string.ascii_lowercase:
    pct = freq[letter] / total * 100
    print(f"{letter}: {pct:5.2f}% {'█' * round(pct)}")
vowels = sum(freq[v] for v in "aeiou")
print(f"vowel ratio: {vowels / total:.3f}")
missing = [c for c in string.printable if c not in context and not c.isspace()]
print("unused:", "".join(missing))

# %% keyword in context
import re

def kwic(text, keyword, width=25):
    text = re.sub(r"\s+", " ", text)
    for m in re.finditer(rf"\b{re.escape(keyword)}\w*", text, flags=re.IGNORECASE):
        left = text[max(0, m.start() - width):m.start()]
        right = text[m.end():m.end() + width]
        yield f"{left:>{width}}[{m.group()}]{right:<{width}}"

notes = context.split("=== notes.txt ===")[-1]
for word in ("lamp", "tea", "trust"):
    hits = list(kwic(notes, word))
    print(f"--- {word}: {len(hits)} hits")
    for h in hits:
        print(h)

# %% caesar and reversed words
def caesar(text, shift):
    out = []
    for ch in text:
        if ch.isalpha() and ch.isascii():
            base = ord("A") if ch.isupper() else ord("a")
            out.append(chr((ord(ch) - base + shift) % 26 + base))
        else:
            out.append(ch)
    return "".join(out)

secret = caesar("Attack at dawn, café!", 3)
print(secret, "|", caesar(secret, -3))
print(" ".join(w[::-1] for w in "hello big world".split()))

def is_palindrome(s):
    s = "".join(c for c in s.lower() if c.isalnum())
    return s == s[::-1]

for s in ["A man, a plan, a canal: Panama", "Not one", ""]:
    print(f"{s!r}: {is_palindrome(s)}")
best = min(range(26), key=lambda k: -sum(caesar(secret, -k).lower().count(c) for c in "etao"))
print("best shift", best)

# %% similarity with difflib
import difflib

names = ["Ada Lind", "Bo Hart", "Cy Moor", "Di Vance", "Eli Roth", "Fay Ong"]
typos = ["ada lynd", "Bo Heart", "Cy More", "D. Vance", "Zed"]
lookup = {n.lower(): n for n in names}
for t in typos:
    match = difflib.get_close_matches(t.lower(), lookup, n=1, cutoff=0.6)
    if match:
        ratio = difflib.SequenceMatcher(None, t.lower(), match[0]).ratio()
        print(f"{t:<10} -> {lookup[match[0]]} ({ratio:.2f})")
    else:
        print(f"{t:<10} -> no match")

a = "one\ntwo\nthree\n".splitlines(keepends=True)
b = "one\n2\nthree\nfour\n".splitlines(keepends=True)
print("".join(difflib.unified_diff(a, b, fromfile="old", tofile="new")))

# %% levenshtein and spell check
from functools import lru_cache

@lru_cache(maxsize=None)
def distance(a, b):
    if not a or not b:
        return len(a) + len(b)
    if a[0] == b[0]:
        return distance(a[1:], b[1:])
    return 1 + min(distance(a[1:], b), distance(a, b[1:]), distance(a[1:], b[1:]))

dictionary = ["lighthouse", "paraffin", "ledger", "member", "storm", "gallery"]
for typo in ["lighthose", "parafin", "legder", "membr", "stomr", "galery"]:
    ranked = sorted(dictionary, key=lambda w: (distance(typo, w), w))
    print(f"{typo} -> {ranked[0]} ({distance(typo, ranked[0])}), then {ranked[1]}")

# %% markdown table of sections
import re

parts = re.split(r"^=== (\S+) ===\n", context, flags=re.M)[1:]
sections = list(zip(parts[::2], parts[1::2]))
rows = [("Section", "Lines", "Words", "Chars")]
for name, body in sections:
    rows.append((name, len(body.splitlines()), len(body.split()), len(body)))
rows.append(("**total**",) + tuple(sum(r[i] for r in rows[1:]) for i in (1, 2, 3)))
widths = [max(len(str(r[i])) for r in rows) for i in range(4)]
for n, row in enumerate(rows):
    cells = [str(c).ljust(w) if i == 0 else str(c).rjust(w) for i, (c, w) in enumerate(zip(row, widths))]
    print("| " + " | ".join(cells) + " |")
    if n == 0:
        print("|" + "|".join("-" * (w + 2) for w in widths) + "|")

# %% wrap and centre
import textwrap

notes = context.split("=== notes.txt ===")[1].strip().split("\n")[0]
print(textwrap.fill(notes, width=50))
print()
print(textwrap.indent(textwrap.fill(notes, 40), "> "))
print(textwrap.shorten(notes, width=60, placeholder=" [...]"))
box = textwrap.wrap(notes, 30)
print("+" + "-" * 32 + "+")
for line in box:
    print("| " + line.center(30) + " |")
print("+" + "-" * 32 + "+")
print(textwrap.dedent("""
    indented
      more
    back
""").strip())

# %% number extraction and units
import re

def to_number(s):
    s = s.replace(",", "")
    return float(s) if "." in s else int(s)

text = "Revenue rose 12.5% to $1,250,000 in 2023 (from $1.1M), costs fell by 3% and 42 staff joined; -7 degrees."
patterns = {
    "percent": r"(\d+(?:\.\d+)?)%",
    "money": r"\$([\d,]+(?:\.\d+)?)(M|K)?",
    "year": r"\b((?:19|20)\d{2})\b",
    "negative": r"(?<!\w)-(\d+)",
}
for name, pat in patterns.items():
    found = re.findall(pat, text)
    if name == "money":
        scale = {"M": 1_000_000, "K": 1_000, "": 1}
        values = [to_number(n) * scale[u] for n, u in found]
    else:
        values = [to_number(n) for n in found]
    print(f"{name:<9}{values}")
years = [int(y) for y in re.findall(r"\b(1[89]\d\d|20\d\d)\b", context.split("notes.txt")[1])]
print("years in notes:", years, "span", max(years) - min(years))

# %% inverted index with phrase search
import re
from collections import defaultdict

class Index:
    def __init__(self):
        self.postings = defaultdict(lambda: defaultdict(list))
        self.docs = {}

    def add(self, doc_id, text):
        self.docs[doc_id] = text
        for pos, m in enumerate(re.finditer(r"\w+", text.lower())):
            self.postings[m.group()][doc_id].append(pos)

    def search(self, *terms):
        sets = [set(self.postings[t].keys()) if t in self.postings else set() for t in terms]
        return sorted(set.intersection(*sets)) if sets else []

    def phrase(self, phrase):
        terms = phrase.lower().split()
        hits = []
        for doc in self.search(*terms):
            starts = self.postings[terms[0]][doc]
            if any(all(p + i in self.postings[t][doc] for i, t in enumerate(terms)) for p in starts):
                hits.append(doc)
        return hits

index = Index()
for i, para in enumerate(context.split("=== notes.txt ===")[1].strip().split("\n\n")):
    index.add(i, para)
print(index.search("lamp"), index.search("tea", "ledger"), index.search("nothing"))
print(index.phrase("old lamp"), index.phrase("the lamp"), index.phrase("lamp old"))
print(len(index.postings), "terms")

# %% sentiment scoring
import re
from statistics import mean

POSITIVE = {"good": 1, "great": 2, "love": 3, "nice": 1}
NEGATIVE = {"bad": -1, "awful": -3, "slow": -1, "broken": -2}
LEXICON = {**POSITIVE, **NEGATIVE}
NEGATIONS = {"not", "never", "no"}

def score(text):
    tokens = re.findall(r"[a-z']+", text.lower())
    total = 0
    for i, tok in enumerate(tokens):
        value = LEXICON.get(tok, 0)
        if value and any(t in NEGATIONS for t in tokens[max(0, i - 2):i]):
            value = -value
        total += value
    return total / len(tokens) if tokens else 0

reviews = ["Great product, love it!", "Not good. Slow and broken.", "It is a lamp.", "Never bad, always nice", ""]
scores = list(map(score, reviews))
for r, s in zip(reviews, scores):
    label = "positive" if s > 0 else "negative" if s < 0 else "neutral"
    print(f"{s:+.3f} {label:<8} {r!r}")
print(f"mean {mean(scores):+.4f}")

# %% markov chain statistics
from collections import defaultdict, Counter
import re

text = context.split("=== notes.txt ===")[1]
words = re.findall(r"\w+", text.lower())
chain = defaultdict(Counter)
for a, b in zip(words, words[1:]):
    chain[a][b] += 1

def most_likely(word, length=6):
    out = [word]
    while len(out) < length and chain.get(out[-1]):
        options = chain[out[-1]]
        best = max(sorted(options), key=options.__getitem__)
        out.append(best)
    return " ".join(out)

for start in ("the", "tea", "secret", "burned"):
    print(most_likely(start))
branching = {w: len(c) for w, c in chain.items()}
top = sorted(branching.items(), key=lambda x: (-x[1], x[0]))[:3]
print(top, f"{sum(branching.values()) / len(branching):.3f}")

# %% template rendering
import re
from string import Template

class Renderer:
    FILTERS = {
        "upper": str.upper,
        "title": str.title,
        "money": lambda v: f"${float(v):,.2f}",
    }

    def render(self, template, values):
        def replace(m):
            name, _, filt = m.group(1).partition("|")
            value = values.get(name.strip(), f"<{name.strip()}?>")
            for f in filter(None, (x.strip() for x in filt.split("|"))):
                value = self.FILTERS[f](value)
            return str(value)
        return re.sub(r"\{\{(.*?)\}\}", replace, template)

r = Renderer()
print(r.render("Dear {{ name | title }}, you owe {{ amount|money }}. {{ missing }}!", {"name": "ada lind", "amount": 1234.5}))
print(r.render("{{ name|upper }}", {"name": "bo"}))
print(Template("$who likes ${what}s, costs $$5").substitute(who="Ann", what="lamp"))
print(Template("$a $b").safe_substitute(a=1))

# %% unicode cleanup
import re
import unicodedata

def slugify(text):
    text = unicodedata.normalize("NFKD", text)
    text = "".join(c for c in text if not unicodedata.combining(c))
    text = re.sub(r"[^\w\s-]", "", text.lower())
    return re.sub(r"[-\s]+", "-", text).strip("-")

titles = ["Café visit – ok", "  Hello,   World! ", "Crème Brûlée & Tea", "naïve façade", "100% Déjà-vu"]
for t in titles:
    print(f"{t!r:<24} {slugify(t)}")
non_ascii = sorted({c for c in context if ord(c) > 127})
for c in non_ascii:
    print(repr(c), hex(ord(c)), c.encode("utf-8"))
smart = "“Quoted” – it’s"
table = str.maketrans({"“": '"', "”": '"', "–": "-", "’": "'"})
print(smart.translate(table))

# %% anagram groups and scrabble
from collections import defaultdict

words = "listen silent enlist google elbow below state taste tea eat ate night thing".split()
groups = defaultdict(list)
for w in words:
    groups["".join(sorted(w))].append(w)
for key, group in sorted(groups.items(), key=lambda kv: (-len(kv[1]), kv[0])):
    if len(group) > 1:
        print(key, "->", ", ".join(group))

POINTS = {p: s for s, p in [(1, "aeilnorstu"), (2, "dg"), (3, "bcmp"), (4, "fhvwy"), (5, "k")]}
letter_points = {ch: s for letters, s in POINTS.items() for ch in letters}
scored = sorted(((sum(letter_points.get(c, 8) for c in w), w) for w in set(words)), reverse=True)
print(scored[:4])

# %% paragraph summariser
import re
from collections import Counter
from heapq import nlargest

def summarise(text, n=2):
    sentences = re.split(r"(?<=[.!?])\s+", text.strip())
    freq = Counter(w for w in re.findall(r"[a-z]{3,}", text.lower()))
    top = max(freq.values())
    weights = {w: c / top for w, c in freq.items()}
    scores = {}
    for i, s in enumerate(sentences):
        ws = re.findall(r"[a-z]{3,}", s.lower())
        if len(ws) < 4:
            continue
        scores[i] = sum(weights[w] for w in ws) / len(ws)
    chosen = sorted(nlargest(n, scores, key=scores.get))
    return [(i, round(scores[i], 3), sentences[i]) for i in chosen]

notes = context.split("=== notes.txt ===")[1].replace("\n", " ")
for i, s, sent in summarise(notes, 3):
    print(f"#{i} ({s}): {sent}")

# %% columns of plain text report
import re

report = """
Name            Dept        Salary
--------------- ----------- ---------
Ada Lovelace    Research     98000.50
Grace Hopper    Navy        105000.00
Alan Turing     Research     91500.25
"""
lines = [l for l in report.strip("\n").split("\n") if l]
spans = [m.span() for m in re.finditer(r"-+", lines[1])]
header = [lines[0][a:b].strip() for a, b in spans]
rows = [{h: line[a:b].strip() for h, (a, b) in zip(header, spans)} for line in lines[2:]]
for r in rows:
    r["Salary"] = float(r["Salary"])
by_dept = {}
for r in rows:
    by_dept.setdefault(r["Dept"], []).append(r["Salary"])
for dept, salaries in by_dept.items():
    print(f"{dept:<10} n={len(salaries)} avg={sum(salaries) / len(salaries):>12,.2f}")
print("%-15s|%10s" % ("Name", "Salary"))
for r in sorted(rows, key=lambda r: -r["Salary"]):
    print("%-15s|%10.2f" % (r["Name"], r["Salary"]))

# %% tokenizer and calculator
import re
from collections import namedtuple

Token = namedtuple("Token", ["kind", "value", "pos"])
SPEC = [("NUM", r"\d+(?:\.\d+)?"), ("OP", r"[-+*/()]"), ("SKIP", r"\s+"), ("BAD", r".")]
MASTER = re.compile("|".join(f"(?P<{name}>{pat})" for name, pat in SPEC))

def tokenize(src):
    for m in MASTER.finditer(src):
        kind = m.lastgroup
        if kind == "SKIP":
            continue
        if kind == "BAD":
            raise SyntaxError(f"unexpected {m.group()!r} at {m.start()}")
        yield Token(kind, float(m.group()) if kind == "NUM" else m.group(), m.start())

class Parser:
    def __init__(self, src):
        self.tokens = list(tokenize(src))
        self.i = 0

    def peek(self):
        return self.tokens[self.i].value if self.i < len(self.tokens) else None

    def take(self):
        self.i += 1
        return self.tokens[self.i - 1].value

    def expr(self):
        value = self.term()
        while self.peek() in ("+", "-"):
            value = value + self.term() if self.take() == "+" else value - self.term()
        return value

    def term(self):
        value = self.atom()
        while self.peek() in ("*", "/"):
            value = value * self.atom() if self.take() == "*" else value / self.atom()
        return value

    def atom(self):
        t = self.take()
        if t == "(":
            value = self.expr()
            self.take()
            return value
        return -self.atom() if t == "-" else t

for src in ["1 + 2 * 3", "(1 + 2) * 3 - -4", "10 / 4", "2 $ 3", "1 / 0"]:
    try:
        print(f"{src} = {Parser(src).expr():g}")
    except SyntaxError as e:
        print(f"{src}: syntax: {e}")
    except ZeroDivisionError:
        print(f"{src}: division by zero")

# %% line length histogram and longest common prefix
from itertools import takewhile
from collections import Counter

lines = [l for l in context.splitlines() if l.strip()]
buckets = Counter(min(len(l) // 20, 6) for l in lines)
for b in range(7):
    label = f"{b * 20}-{b * 20 + 19}" if b < 6 else "120+"
    print(f"{label:>8}: {buckets.get(b, 0):>3} {'=' * buckets.get(b, 0)}")

def common_prefix(strings):
    return "".join(c[0] for c in takewhile(lambda cs: len(set(cs)) == 1, zip(*strings)))

auth = [l for l in lines if l.startswith("Mar")]
app = [l for l in lines if l.startswith("2024")]
print(repr(common_prefix(auth)), repr(common_prefix(app)))
