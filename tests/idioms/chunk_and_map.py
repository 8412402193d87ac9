# %% chunk by lines and query each chunk
lines = context.splitlines()
chunk_size = 40
chunks = ["\n".join(lines[i:i + chunk_size]) for i in range(0, len(lines), chunk_size)]
print(f"{len(chunks)} chunks of up to {chunk_size} lines")

answers = []
for i, chunk in enumerate(chunks):
    answer = llm_query(f"Chunk {i + 1}/{len(chunks)}: list the errors.\n{chunk}")
    answers.append(answer)
    print(i, len(chunk), repr(answer))
final = " | ".join(a.split("\n")[0] for a in answers)
final

# %% batched query over character chunks with overlap
def chunk_text(text: str, size: int, overlap: int = 0) -> list[str]:
    if overlap >= size:
        raise ValueError("overlap must be smaller than size")
    step = size - overlap
    return [text[i:i + size] for i in range(0, max(len(text) - overlap, 1), step)]

chunks = chunk_text(context, 3000, 200)
prompts = [f"Summarise part {n}:\n\n{c}" for n, c in enumerate(chunks, 1)]
answers = llm_query_batched(prompts)
for p, a in zip(prompts, answers):
    print(len(p), repr(a))
assert all(chunks[i][-200:] == chunks[i + 1][:200] for i in range(len(chunks) - 1))
chunk_text("abc", 2, 2)

# %% split by section headers with regex
import re

parts = re.split(r"^=== (.+?) ===$", context, flags=re.M)
sections = dict(zip(parts[1::2], map(str.strip, parts[2::2])))
for name, body in sections.items():
    print(f"{name}: {len(body)} chars -> {llm_query(f'What is in {name}? ' + body)}")
answer = {name: llm_query(name.upper()) for name in sections if name.endswith(".log")}
answer

# %% list(map()) and star map
prompts = [f"Is {ip} malicious?" for ip in ("192.0.2.66", "192.0.2.10", "192.0.2.90")]
a = list(map(llm_query, prompts))
b = [*map(llm_query, prompts)]
c = [llm_query(p) for p in prompts]
d = llm_query_batched(prompts)
print(a == b == c == d)
print(*a, sep="\n")
set(map(llm_query, prompts)) == set(d), tuple(map(llm_query, prompts[:1]))

# %% sorted by an answer and dictionary comprehension
words = ["pear", "Fig", "apple", "kiwi", "Banana"]
ranked = sorted(words, key=lambda w: llm_query(w))
print(ranked)
print(sorted(words, key=lambda w: len(llm_query(w)), reverse=True))
print(max(words, key=lambda w: llm_query(w.lower())), min(words, key=llm_query))
labels = {w: llm_query(f"Label {w}") for w in words if w[0].islower()}
for k, v in labels.items():
    print(f"{k:>6} => {v}")
{llm_query(w)[-1] for w in ("xa", "ya")}

# %% generator passed to join
sentences = ["The lamp is electric.", "Tea is sold below.", "", "There are 112 steps."]
report = "\n".join(llm_query(s) for s in sentences if s)
print(report)
total = sum(len(llm_query(s)) for s in sentences)
has_tea = any("Tea" in llm_query(s) for s in sentences)
all_echo = all(llm_query(s).startswith("echo: ") for s in sentences)
print(total, has_tea, all_echo)
",".join(str(len(x)) for x in map(llm_query, sentences))

# %% ThreadPoolExecutor with ordered results
from concurrent.futures import ThreadPoolExecutor

lines = [l for l in context.splitlines() if " ERROR " in l]
prompts = [f"Explain: {l.split('] ', 1)[1]}" for l in lines]
with ThreadPoolExecutor(max_workers=4) as pool:
    answers = list(pool.map(llm_query, prompts))
print(len(answers), answers == llm_query_batched(prompts))
for a in sorted(set(answers)):
    print("-", a)

# %% executor submit and as_completed sorted
from concurrent.futures import ThreadPoolExecutor, as_completed

topics = ["auth", "access", "orders", "events"]

def ask(topic):
    return topic, llm_query(f"topic={topic}")

results = {}
with ThreadPoolExecutor(max_workers=4) as ex:
    futures = {ex.submit(ask, t): t for t in topics}
    for fut in as_completed(futures):
        topic, answer = fut.result()
        results[topic] = answer
        assert futures[fut] == topic
for t in sorted(results):
    print(t, "->", results[t])
len(results)

# %% map reduce with a final reduce prompt
def map_reduce(text, question, size=2500):
    pieces = [text[i:i + size] for i in range(0, len(text), size)]
    mapped = llm_query_batched([f"{question} || {p}" for p in pieces])
    notes = "\n".join(f"[{i}] {m}" for i, m in enumerate(mapped))
    print(notes)
    return llm_query(f"Merge {len(mapped)} notes: {notes}")

final_answer = map_reduce(context, "Which users had errors?")
print("FINAL:", final_answer)
final_answer.count("echo")

# %% recursive summarise until it fits
depth_log = []

def summarise(text, limit=300, depth=0):
    depth_log.append((depth, len(text)))
    if len(text) <= limit or depth > 5:
        return llm_query("sum: " + text)
    mid = text.rfind("\n", 0, len(text) // 2)
    if mid <= 0:
        mid = len(text) // 2
    left, right = text[:mid], text[mid:]
    return summarise(summarise(left, limit, depth + 1) + " + " + summarise(right, limit, depth + 1), limit, depth + 1)

notes = context[context.find("=== notes.txt ==="):]
print(repr(summarise(notes)))
print(len(depth_log), max(d for d, _ in depth_log))
depth_log[:6]

# %% filter chunks by the answer
lines = [l for l in context.split("\n") if "sshd" in l]
keep = [l for l in lines if "Failed" in llm_query(l.split(": ", 1)[1])]
print(len(lines), "->", len(keep))
rest = list(filter(lambda l: "root" in llm_query(l[l.index(":", 16):]), reversed(keep)))
print(len(rest))
print(rest[0][:60])
[l[7:15] for l in keep if l not in rest]

# %% cache of answers in a dict
cache: dict[str, str] = {}
stats = {"hit": 0, "miss": 0}

def cached_query(prompt: str) -> str:
    if prompt in cache:
        stats["hit"] += 1
    else:
        stats["miss"] += 1
        cache[prompt] = llm_query(prompt)
    return cache[prompt]

for status in (200, 404, 200, 500, 404, 200):
    print(status, cached_query(f"What does {status} mean?"))
print(stats, f"{stats['hit'] / sum(stats.values()):.0%} hits")
list(cache)

# %% lru_cache around the model call
from functools import lru_cache, partial

@lru_cache(maxsize=2)
def ask(prompt):
    return llm_query(prompt).upper()

for p in ["a", "b", "a", "c", "b"]:
    print(p, ask(p))
info = ask.cache_info()
print(info.hits, info.misses, info.currsize)
translate = partial(str.format, "Translate {word!r} to {lang}")
[llm_query(translate(word=w, lang="French")) for w in ("tea", "ship")]

# %% voting with Counter
from collections import Counter

def vote(question, n=5):
    prompts = [f"{question} (seed {i % 3})" for i in range(n)]
    tally = Counter(llm_query_batched(prompts))
    winner, count = tally.most_common(1)[0]
    print(dict(tally))
    return winner if count > n / 2 else None

print(vote("Yes or no?"))
print(vote("A very long question that hides its own seed?"))
Counter(llm_query(x) for x in "abracadabra").most_common(2)

# %% buffers that collect notes
buffers = {"people": [], "numbers": [], "misc": []}
for line in context.split("=== notes.txt ===")[1].strip().splitlines():
    if not line:
        continue
    kind = "numbers" if any(c.isdigit() for c in line) else "people" if "?" in line else "misc"
    buffers[kind].append(llm_query(line))
for name, buf in buffers.items():
    print(f"{name} ({len(buf)})")
    for item in buf:
        print("   ", item)
answer = max(buffers, key=lambda k: len(buffers[k]))
answer

# %% retries over the answers
def good(answer):
    return answer.rstrip().endswith("!")

prompts = ["stop!", "go", "wait!", "run"]
answers = llm_query_batched(prompts)
for attempt in range(3):
    todo = [i for i, a in enumerate(answers) if not good(a)]
    print("attempt", attempt, "todo", todo)
    if not todo:
        break
    redo = llm_query_batched([prompts[i] + "!" * attempt for i in todo])
    for i, a in zip(todo, redo):
        answers[i] = a
final = dict(zip(prompts, answers))
final

# %% wrong prompt type is reported
prompts = ["fine", "also fine", 42]
out = []
for p in prompts:
    try:
        out.append("Q: " + p + " A: " + llm_query(p))
    except TypeError as e:
        out.append(f"TypeError: {e}")
print("\n".join(out))
answers = dict(zip(prompts, llm_query_batched([str(p) for p in prompts])))
print(answers[42])
answers["42"]

# %% token budget with greedy packing
def pack(paragraphs, budget):
    batch, used = [], 0
    for p in paragraphs:
        cost = len(p.split())
        if batch and used + cost > budget:
            yield batch
            batch, used = [], 0
        batch.append(p)
        used += cost
    if batch:
        yield batch

csv_rows = context.split("=== orders.csv ===\n")[1].split("\n\n")[0].splitlines()[1:]
for n, batch in enumerate(pack(csv_rows, 10), 1):
    print(n, len(batch), llm_query(f"{len(batch)} rows: " + "; ".join(batch)))
sum(len(b) for b in pack(csv_rows, 10))

# %% needle search with early exit
chunks = context.split("\n\n")
asked = 0
found = None
for idx, chunk in enumerate(chunks):
    asked += 1
    hit = [w for w in chunk.split() if w.startswith("MAGENTA")]
    reply = llm_query(f"{hit[0] if hit else 'nothing'} in chunk {idx}?")
    print(idx, reply)
    if "MAGENTA" in reply:
        found = reply.split()[1].strip(",")
        break
else:
    print("not found")
print("asked", asked, "of", len(chunks))
found

# %% prompt template with nested quoting
TEMPLATE = """You are a careful analyst.
Question: {q}
Context ({n} chars):
{body}
Answer with {{"answer": ...}}."""

question = 'Who said "Not bad"?'
body = next(p for p in context.split("\n") if "Not bad" in p)
prompt = TEMPLATE.format(q=question, n=len(body), body=body[:30] + "...")
print(prompt)
reply = llm_query(prompt)
print(repr(reply), len(reply))
print(f"{'Q':>3}: {question!r:^30}|{reply.splitlines()[0]!s:.12}|")
TEMPLATE.format(q=1, n=2)

# %% two level routing by answer
def classify(line):
    reply = llm_query(line.lower())
    match reply.split():
        case ["echo:", first, *_] if first.startswith("q"):
            return "question"
        case ["echo:", "a:", word, *_]:
            return f"answer/{word.strip(',')}"
        case ["echo:"]:
            return "blank"
        case _:
            return "prose"

routes = {}
for line in context[context.rindex("==="):].splitlines()[1:]:
    routes.setdefault(classify(line), []).append(line[:14])
for r, ls in sorted(routes.items()):
    print(r, ls)
{k: len(v) for k, v in routes.items()}

# %% enumerate chunks with ids and merge unique findings
import re

chunks = [context[i:i + 2000] for i in range(0, len(context), 2000)]
findings: dict[str, list[int]] = {}
for cid, chunk in enumerate(chunks):
    for trace in re.findall(r"trace=(\w{4})", chunk):
        findings.setdefault(trace, []).append(cid)
prompts = {t: f"trace {t} seen in {sorted(set(c))}" for t, c in findings.items()}
replies = {t: llm_query(p) for t, p in prompts.items()}
merged = [r.removeprefix("echo: trace ") for r in replies.values()]
print("\n".join(merged))
FINAL_VAR = ", ".join(sorted(replies))
print(FINAL_VAR)
findings.get("ffff", "no such trace")

# %% class that wraps the model
class Agent:
    def __init__(self, name, ask=llm_query):
        self.name = name
        self.ask = ask
        self.history = []

    def __call__(self, text):
        reply = self.ask(f"{self.name}> {text}")
        self.history.append((text, reply))
        return reply

    def __len__(self):
        return len(self.history)

    def transcript(self):
        return "\n".join(f"{i}. {q} => {a}" for i, (q, a) in enumerate(self.history, 1))

bot = Agent("clerk")
loud = Agent("loud", ask=lambda p: llm_query(p).upper())
print(bot("hello"), bot("how many lamps?"), loud("quiet please"), sep="\n")
print(bot.transcript())
len(bot), len(loud), list(map(bot, "xy"))

# %% tournament of summaries in pairs
items = [l.split(",")[3] for l in context.splitlines() if l.startswith("10")][:7]
print(items)
level = 0
while len(items) > 1:
    pairs = [items[i:i + 2] for i in range(0, len(items), 2)]
    items = [llm_query("+".join(p))[6:] if len(p) == 2 else p[0] for p in pairs]
    level += 1
    print(level, items)
final = items.pop()
print(final, len(items))
try:
    items.pop()
except IndexError as e:
    print(type(e).__name__, e)

# %% itertools slices of prompts and progress output
from itertools import islice, starmap

def batched(iterable, n):
    it = iter(iterable)
    while batch := list(islice(it, n)):
        yield batch

ids = [l.split(",")[0] for l in context.splitlines() if l[:4].isdigit() and "," in l]
answers = []
for k, group in enumerate(batched((f"Check order {i}" for i in ids), 5), 1):
    answers += llm_query_batched(group)
    print(f"[{'#' * k:<3}] {len(answers):>2}/{len(ids)}", end="\n" if len(answers) == len(ids) else " ")
print(answers[0], answers[-1], sep=" ... ")
list(starmap(lambda i, a: f"{i}:{a[-4:]}", zip(range(3), answers)))
