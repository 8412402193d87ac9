# %% word counts of the prose section
import re
from collections import Counter

prose = context[context.index("=== notes.txt ==="):]
words = re.findall(r"[a-zé']+", prose.lower())
freq = Counter(words)
print(f"{len(words)} words, {len(freq)} distinct")
for w, n in freq.most_common(6):
    print(f"{w:>8} {n:3d}")
freq["lamp"], freq["tea"], freq["whale"], freq["missing"]

# %% bigrams and trigrams
import re
from collections import Counter

def ngrams(tokens, n):
    return zip(*(tokens[i:] for i in range(n)))

notes = context.split("=== notes.txt ===\n")[1]
tokens = re.findall(r"\w+", notes.lower())
bi = Counter(ngrams(tokens, 2))
tri = Counter(" ".join(g) for g in ngrams(tokens, 3))
print([(" ".join(k), v) for k, v in bi.most_common(5)])
print([t for t, n in tri.items() if n > 1])
len(bi), len(tri)

# %% sentence splitting that respects abbreviations
import re

notes = context.split("=== notes.txt ===\n")[1]
ABBREV = ("Dr.", "Mr.", "St.")

def sentences(text):
    buf = []
    for piece in re.split(r"(?<=[.!?])\s+", text.replace("\n", " ")):
        buf.append(piece)
        if not piece.endswith(ABBREV):
            yield " ".join(buf)
            buf = []
    if buf:
        yield " ".join(buf)

all_s = [s for s in sentences(notes) if s.strip()]
for i, s in enumerate(all_s[:6], 1):
    print(f"{i:02d} [{len(s.split()):>2} words] {s[:48]}{'…' if len(s) > 48 else ''}")
print(len(all_s), max(all_s, key=len)[:20])

# %% flesch reading ease with naive syllables
import re

def syllables(word: str) -> int:
    groups = re.findall(r"[aeiouy]+", word.lower())
    n = len(groups)
    if word.lower().endswith("e") and n > 1:
        n -= 1
    return max(n, 1)

def flesch(text: str) -> float:
    sents = [s for s in re.split(r"[.!?]+", text) if s.strip()]
    words = re.findall(r"[A-Za-z]+", text)
    syl = sum(map(syllables, words))
    return 206.835 - 1.015 * len(words) / len(sents) - 84.6 * syl / len(words)

easy = "The cat sat on the mat. It was red. We saw it."
hard = "Institutional considerations necessitate comprehensive administrative reorganisation."
for label, t in (("easy", easy), ("hard", hard)):
    print(f"{label}: {flesch(t):.2f}", [syllables(w) for w in t.split()[:4]])
flesch("")

# %% tf-idf by hand
import math
import re

docs = {
    "d1": "the lamp burned whale oil and the lamp smoked",
    "d2": "the trust repaints the gallery every spring",
    "d3": "whale oil is no longer used in any lamp",
}
tf = {d: {} for d in docs}
for d, text in docs.items():
    toks = re.findall(r"\w+", text)
    for t in toks:
        tf[d][t] = tf[d].get(t, 0) + 1 / len(toks)

vocab = sorted({t for counts in tf.values() for t in counts})
idf = {t: math.log(len(docs) / sum(t in c for c in tf.values())) for t in vocab}
for d in docs:
    scores = {t: round(w * idf[t], 4) for t, w in tf[d].items()}
    best = sorted(scores.items(), key=lambda kv: (-kv[1], kv[0]))[:3]
    print(d, best)
round(idf["the"], 5), len(vocab)

# %% jaccard similarity between lines
import re
from itertools import combinations

def shingles(s, k=3):
    s = re.sub(r"\W+", " ", s.lower()).strip()
    return {s[i:i + k] for i in range(len(s) - k + 1)}

def jaccard(a, b):
    union = a | b
    return len(a & b) / len(union) if union else 1.0

qs = [l[3:] for l in context.splitlines() if l.startswith("Q: ")] + ["Who keeps the old lamp today?"]
for (i, a), (j, b) in combinations(enumerate(qs), 2):
    print(i, j, f"{jaccard(shingles(a), shingles(b)):.3f}")
jaccard(set(), set())

# %% cosine similarity of term vectors
from math import sqrt
from collections import Counter

def cosine(a: Counter, b: Counter) -> float:
    dot = sum(a[w] * b[w] for w in a.keys() & b.keys())
    na, nb = (sqrt(sum(v * v for v in c.values())) for c in (a, b))
    return dot / (na * nb)

texts = ["tea and more tea", "tea cakes and coffee", "steps to the gallery"]
vecs = [Counter(t.split()) for t in texts]
print("\n".join(" ".join(f"{cosine(x, y):5.2f}" for y in vecs) for x in vecs))
try:
    cosine(Counter(), vecs[0])
except ZeroDivisionError as e:
    print(type(e).__name__, e)

# %% levenshtein distance and closest match
def edit_distance(a: str, b: str) -> int:
    prev = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        cur = [i]
        for j, cb in enumerate(b, 1):
            cur.append(min(prev[j] + 1, cur[-1] + 1, prev[j - 1] + (ca != cb)))
        prev = cur
    return prev[-1]

pairs = [("kitten", "sitting"), ("", "abc"), ("flaw", "lawn"), ("same", "same"), ("café", "cafe")]
for a, b in pairs:
    print(f"{a!r:>9} {b!r:<10} {edit_distance(a, b)}")
commands = ["restart", "status", "stop", "start"]
typed = "strat"
ranked = sorted(commands, key=lambda c: (edit_distance(typed, c), c))
print(f"Unknown command {typed!r}; did you mean {ranked[0]!r}?")
[(c, edit_distance(typed, c)) for c in ranked]

# %% stop words and keyword extraction
import string

STOP = set("the a an and or of to in on is was it its by for that this who had be could from what how".split())

def keywords(text, top=5):
    scores: dict[str, float] = {}
    table = str.maketrans("", "", string.punctuation + "–")
    for pos, w in enumerate(text.lower().translate(table).split()):
        if w in STOP or len(w) < 3:
            continue
        scores[w] = scores.get(w, 0) + 1 + 1 / (pos + 1)
    return sorted(scores, key=lambda w: (-scores[w], w))[:top]

for para in context.split("=== notes.txt ===")[1].strip().split("\n\n"):
    print(keywords(para))

# %% concordance, keyword in context
import re

def kwic(text, word, width=18):
    flat = " ".join(text.split())
    for m in re.finditer(rf"\b{re.escape(word)}\b", flat, re.I):
        left = flat[max(0, m.start() - width):m.start()]
        right = flat[m.end():m.end() + width]
        yield f"{left:>{width}}[{m.group()}]{right:<{width}}"

notes = context.rpartition("=== notes.txt ===")[2]
print(*kwic(notes, "lamp"), sep="\n")
print(*kwic(notes, "TEA", width=8), sep="\n")
sum(1 for _ in kwic(notes, "ship"))

# %% co-occurrence inside sentences
import re
from collections import defaultdict
from itertools import combinations

text = """Ada met Bo. Bo met Cy and Ada. Cy likes tea.
Ada likes tea; Bo likes tea too. Nobody met Di."""
cooc = defaultdict(int)
for sent in re.split(r"[.;]\s*", text):
    names = sorted(set(re.findall(r"\b[A-Z][a-z]\w?\b", sent)))
    for pair in combinations(names, 2):
        cooc[pair] += 1
for (a, b), n in sorted(cooc.items(), key=lambda kv: (-kv[1], kv[0])):
    print(a, "~", b, n)
dict(cooc)

# %% longest words and length histogram
import re

words = {w.lower() for w in re.findall(r"[A-Za-z]{2,}", context)}
longest = sorted(words, key=lambda w: (-len(w), w))[:5]
print(longest)
hist: dict[int, int] = {}
for w in words:
    hist[len(w)] = hist.get(len(w), 0) + 1
for n in range(min(hist), max(hist) + 1):
    print(f"{n:>2}: {'=' * (hist.get(n, 0) // 2)}{' ' if hist.get(n, 0) > 1 else ''}{hist.get(n, 0)}")

# %% letter frequencies and caesar cracking
import string

ENGLISH = "etaoinshrdlcumwfgypbvkjxqz"

def shift(text, k):
    a = string.ascii_lowercase
    return text.translate(str.maketrans(a + a.upper(), a[k:] + a[:k] + (a[k:] + a[:k]).upper()))

def score(text):
    return sum(26 - ENGLISH.index(c) for c in text.lower() if c in ENGLISH)

secret = shift("The lighthouse keeper repaints the gallery every spring", 7)
print(secret)
best = max(range(26), key=lambda k: score(shift(secret, -k % 26)))
print(best, shift(secret, 26 - best))
"".join(sorted(set(secret.lower()) - {" "}))

# %% vocabulary richness by section
import re

rows = []
for chunk in re.split(r"^=== ", context, flags=re.M)[1:]:
    title, _, body = chunk.partition(" ===\n")
    toks = re.findall(r"[A-Za-z]+", body.lower())
    types = set(toks)
    hapax = [w for w in types if toks.count(w) == 1]
    rows.append((title, len(toks), len(types), len(types) / len(toks), len(hapax)))
print(f"{'section':<14}{'tokens':>7}{'types':>7}{'ttr':>7}{'hapax':>7}")
for t, n, k, ttr, h in sorted(rows, key=lambda r: -r[3]):
    print(f"{t:<14}{n:>7}{k:>7}{ttr:>7.3f}{h:>7}")

# %% question and answer pairs
import re

pairs = re.findall(r"^Q: (.+?)\nA: (.+?)$", context, re.MULTILINE)
qa = {q.rstrip("?"): a for q, a in pairs}
for q, a in qa.items():
    first, *rest = re.split(r"(?<=\.) ", a)
    print(f"Q {q}\n  A {first} (+{len(rest)} more)")
code = re.search(r"\b([A-Z]{4,}-\d+)\b", qa["What does the secret ledger contain"])
print("code:", code.group(1), code.span())
qa["What is the weather"]

# %% wrapping and justification
import textwrap

para = [l for l in context.splitlines() if l.startswith("For forty")][0]
for line in textwrap.wrap(para, 44):
    print(f"|{line:<44}|")
print(textwrap.fill(para, 60, initial_indent="* ", subsequent_indent="  "))
print(textwrap.shorten(para, width=40, placeholder=" [...]"))
print(textwrap.indent("a\n\nb", "> "))
textwrap.dedent("""
    def f():
        return 1
    """).strip()

# %% markov chain without randomness
from collections import defaultdict

text = "the sea was calm and the sea was cold and the lamp was lit and the night was long"
words = text.split()
chain = defaultdict(list)
for a, b in zip(words, words[1:]):
    chain[a].append(b)

def most_likely(word):
    nxt = chain.get(word)
    if not nxt:
        return None
    return max(sorted(set(nxt)), key=nxt.count)

def generate(start, limit=8):
    out = [start]
    while len(out) < limit and (w := most_likely(out[-1])):
        out.append(w)
    return " ".join(out)

print(generate("the"), "|", generate("lit", 4), "|", generate("long"))
{k: len(v) for k, v in chain.items() if len(set(v)) > 1}

# %% type error when joining mixed tokens
tokens = "the beam reached 18 miles in 2019".split()
typed = [int(t) if t.isdigit() else t for t in tokens]
print(typed, sum(t for t in typed if isinstance(t, int)))
print(" ".join(map(str, typed)).title())
print({type(t).__name__ for t in typed} == {"int", "str"})
" ".join(typed)

# %% palindromes, anagrams and casing
from collections import defaultdict

def is_palindrome(s: str) -> bool:
    kept = [c.casefold() for c in s if c.isalnum()]
    return kept == kept[::-1]

for s in ("A man, a plan, a canal: Panama", "Straße", "No lemon, no melon", "", "x!y"):
    print(f"{s!r}: {is_palindrome(s)}")

groups = defaultdict(list)
for w in "listen silent enlist google gogole cat act tac dog".split():
    groups["".join(sorted(w))].append(w)
print([g for g in groups.values() if len(g) > 1])
print("straße".upper(), "ǅ".lower(), "mIxEd cAsE".swapcase(), "o'neil's cafe".title(), "ÉCOLE".casefold())

# %% unicode aware counts
import unicodedata

s = "Café – naïve “quotes” €5 ½ ☃"
cats = {}
for ch in s:
    cats.setdefault(unicodedata.category(ch), []).append(ch)
for cat in sorted(cats):
    print(cat, len(cats[cat]), "".join(cats[cat]))
print(unicodedata.name("☃"), unicodedata.numeric("½"))
plain = "".join(c for c in unicodedata.normalize("NFD", s) if not unicodedata.combining(c))
print(plain, len(s), len(s.encode("utf-8")))
[s.encode("ascii", errors=e) for e in ("ignore", "replace")]
