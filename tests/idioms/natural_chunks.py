# %% map reduce over sections
import re

def split_sections(text):
    parts = re.split(r"^=== (.+?) ===\s*$", text, flags=re.MULTILINE)
    return {name: body.strip() for name, body in zip(parts[1::2], parts[2::2])}

def summarise(name, body, max_chars=1500):
    pieces = [body[i:i + max_chars] for i in range(0, len(body), max_chars)]
    prompts = [f"[{name} {i + 1}/{len(pieces)}] Summarise:\n{p}" for i, p in enumerate(pieces)]
    return llm_query_batched(prompts)

sections = split_sections(context)
partials = {}
for name, body in sections.items():
    partials[name] = summarise(name, body)
    print(f"{name}: {len(partials[name])} partial summaries")
combined = "\n\n".join(f"## {n}\n" + "\n".join(p) for n, p in partials.items())
final = llm_query(f"Combine these summaries:\n{combined}")
print(len(combined), final)

# %% peek at the context first
print(type(context).__name__, len(context))
print(context[:200])
print("...")
print(context[-150:])
lines = context.split("\n")
print(f"{len(lines)} lines, {sum(1 for l in lines if not l.strip())} empty, longest {max(map(len, lines))}")
headers = [(i, l) for i, l in enumerate(lines) if l.startswith("===")]
for i, h in headers:
    print(f"{i:>4}: {h}")

# %% chunk on paragraph boundaries
def chunk_paragraphs(text, limit=2000):
    chunks, current, size = [], [], 0
    for para in text.split("\n\n"):
        if current and size + len(para) > limit:
            chunks.append("\n\n".join(current))
            current, size = [], 0
        current.append(para)
        size += len(para) + 2
    if current:
        chunks.append("\n\n".join(current))
    return chunks

chunks = chunk_paragraphs(context)
for i, c in enumerate(chunks):
    print(f"chunk {i}: {len(c)} chars, starts {c[:25]!r}")
answers = llm_query_batched([f"Chunk {i}: any anomalies? {c}" for i, c in enumerate(chunks)])
relevant = [(i, a) for i, a in enumerate(answers) if "none" not in a.lower()]
print(relevant)

# %% needle search then ask
import re

def find_windows(text, pattern, before=80, after=120):
    spans = []
    for m in re.finditer(pattern, text, re.IGNORECASE):
        start, end = max(0, m.start() - before), min(len(text), m.end() + after)
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return [text[a:b] for a, b in spans]

windows = find_windows(context, r"secret|magenta")
print(f"{len(windows)} window(s)")
for w in windows:
    print("-", repr(w[:60]))
evidence = "\n---\n".join(windows)
answer = llm_query(f"What is the secret code?\n{evidence}")
codes = re.findall(r"\b[A-Z]{3,}-\d{3,}\b", evidence)
print(answer)
print(codes[0] if codes else "not found")

# %% batched classification of lines
from collections import Counter

app = [l for l in context.splitlines() if l.startswith("2024-03-11T")]

def batches(items, n):
    for i in range(0, len(items), n):
        yield items[i:i + n]

labels = []
for batch in batches(app, 10):
    prompts = [f"{line.split()[1]}? Classify: {line}" for line in batch]
    labels.extend(llm_query_batched(prompts))
assert len(labels) == len(app)
counts = Counter(label.split("?")[0].replace("echo: ", "") for label in labels)
print(counts.most_common())
print(labels[0])

# %% recursive summarisation tree
def summarise_tree(texts, fan_in=3, level=0):
    if len(texts) == 1:
        return texts[0], level
    groups = [texts[i:i + fan_in] for i in range(0, len(texts), fan_in)]
    prompts = [f"L{level} merge {len(g)}: " + " / ".join(g) for g in groups]
    print(f"level {level}: {len(texts)} texts -> {len(groups)} prompts")
    return summarise_tree(llm_query_batched(prompts), fan_in, level + 1)

size = len(context) // 9 + 1
leaves = [context[i:i + size] for i in range(0, len(context), size)]
result, depth = summarise_tree(leaves)
print(depth, result)

# %% dataclass chunks with metadata
from dataclasses import dataclass, field
from typing import List

@dataclass
class Chunk:
    index: int
    section: str
    text: str
    notes: List[str] = field(default_factory=list)

    @property
    def prompt(self) -> str:
        return f"({self.section}#{self.index}) Find errors in:\n{self.text}"

    def __str__(self):
        return f"Chunk {self.index} of {self.section} ({len(self.text)} chars)"

chunks = []
section = "preamble"
buffer = []
for line in context.splitlines() + ["=== end ==="]:
    if line.startswith("=== "):
        if buffer:
            chunks.append(Chunk(len(chunks), section, "\n".join(buffer)))
        section, buffer = line.strip("= "), []
    else:
        buffer.append(line)
for chunk, answer in zip(chunks, llm_query_batched([c.prompt for c in chunks])):
    chunk.notes.append(answer)
    print(chunk, "->", chunk.notes[0].split("\n")[0])
print(max(chunks, key=lambda c: len(c.text)).section)

# %% voting over rephrased questions
from collections import Counter

QUESTION = "How many steps lead up?"
TEMPLATES = ["{q}", "Please answer: {q}", "{q} Answer with a number.", "{q}"]
notes = context.split("=== notes.txt ===")[1]
prompts = [t.format(q=QUESTION) + "\n" + notes for t in TEMPLATES]
votes = Counter(llm_query_batched(prompts))
for answer, n in votes.most_common():
    print(n, repr(answer))
winner, n = votes.most_common(1)[0]
print(f"winner has {n}/{len(prompts)} votes: {n / len(prompts):.0%}")

# %% caching wrapper around the query
class CachedLLM:
    def __init__(self):
        self.cache = {}
        self.calls = 0

    def __call__(self, prompt):
        if prompt not in self.cache:
            self.calls += 1
            self.cache[prompt] = llm_query(prompt)
        return self.cache[prompt]

ask = CachedLLM()
questions = ["Who built it?", "When?", "Who built it?", "Where?", "When?"]
answers = [ask(q) for q in questions]
for q, a in zip(questions, answers):
    print(f"{q:<15} {a}")
print(f"{ask.calls} calls for {len(questions)} questions")

# %% thread pool over chunks
from concurrent.futures import ThreadPoolExecutor

def analyse(args):
    i, chunk = args
    reply = llm_query(f"part {i}: count errors in {chunk}")
    return i, len(chunk), reply

chunk_size = 2500
chunks = [context[i:i + chunk_size] for i in range(0, len(context), chunk_size)]
with ThreadPoolExecutor(max_workers=4) as executor:
    results = list(executor.map(analyse, enumerate(chunks)))
for i, n, reply in results:
    print(i, n, reply)
total = sum(n for _, n, _ in results)
print(total == len(context))

# %% token budget packing
def estimate_tokens(text):
    return max(1, len(text) // 4)

def pack(items, budget):
    bins = []
    for item in sorted(items, key=lambda kv: -estimate_tokens(kv[1])):
        cost = estimate_tokens(item[1])
        for b in bins:
            if b["used"] + cost <= budget:
                b["items"].append(item[0])
                b["used"] += cost
                break
        else:
            bins.append({"items": [item[0]], "used": cost})
    return bins

names = ["auth.log", "access.log", "app.log", "orders.csv", "events.jsonl", "notes.txt"]
sections = {}
for name, nxt in zip(names, names[1:] + [None]):
    start = context.index(f"=== {name} ===")
    end = context.index(f"=== {nxt} ===") if nxt else len(context)
    sections[name] = context[start:end]
bins = pack(sections.items(), budget=1200)
for i, b in enumerate(bins):
    print(f"bin {i}: {b['used']:>5} tokens: {', '.join(b['items'])}")
    print("   ", llm_query(f"Bin {i} " + "".join(sections[n] for n in b["items"])))

# %% extract facts and answer at the end
import re

facts = []
qs = re.findall(r"Q: (.+?)\nA: (.+?)(?=\n\n|\Z|\nVisitors)", context, flags=re.DOTALL)
for q, a in qs:
    facts.append({"question": q, "answer": a.strip(), "check": llm_query(f"True? {q} {a}")})

for f in facts:
    print(f"Q: {f['question']}")
    print(f"   A: {f['answer'][:60]}{'...' if len(f['answer']) > 60 else ''}")
    print(f"   check: {f['check']}")
answer = next((f["answer"] for f in facts if "secret" in f["question"].lower()), "unknown")
code = re.search(r"is ([A-Z]+-\d+)", answer)
final_answer = code.group(1) if code else answer
final_answer

# %% overlap chunks with a generator
def sliding(text, size, overlap):
    pos = 0
    while pos < len(text):
        end = min(pos + size, len(text))
        if end < len(text):
            newline = text.rfind("\n", pos, end)
            if newline > pos + overlap:
                end = newline
        yield pos, text[pos:end]
        if end == len(text):
            return
        pos = end - overlap

chunks = list(sliding(context, 1800, 100))
print(len(chunks), [p for p, _ in chunks])
hits = []
for pos, chunk in chunks:
    if "ERROR" in chunk:
        hits.append((pos, chunk.count("ERROR"), llm_query(f"@{pos} errors: {chunk}")))
for h in hits:
    print("%5d %2d %r" % h)

# %% structured output with fallback
import json
import re

SYSTEM = "Return JSON with keys name and count.\n"

def parse_reply(reply, fallback):
    match = re.search(r"\{.*\}", reply, re.DOTALL)
    if match:
        try:
            return {**fallback, **json.loads(match.group(0))}
        except json.JSONDecodeError:
            pass
    return fallback

results = []
for product in ["lamp", "desk", "chair", "rug"]:
    rows = [l for l in context.splitlines() if l.startswith("10") and product in l]
    reply = llm_query(json.dumps({"name": product, "count": len(rows)}) + SYSTEM)
    results.append(parse_reply(reply, {"name": None, "count": -1}))
for r in results:
    print(r)
print(sum(r["count"] for r in results if r["name"]))

# %% question decomposition
questions = {
    "who": "Who designed the lighthouse?",
    "when": "When was it built?",
    "how": "How far does the beam reach?",
}
notes = context[context.rindex("==="):]
answers = dict(zip(questions, llm_query_batched([f"{q}\n\n{notes}" for q in questions.values()])))
width = max(map(len, questions))
for key, answer in answers.items():
    first_line, *rest = answer.splitlines()
    print(f"{key:>{width}}: {first_line} (+{len(rest)} lines)")
synthesis = llm_query("Synthesize: " + "; ".join(f"{k}={v!r}" for k, v in answers.items()))
print(synthesis)

# %% progress and buffers across steps
buffers = {}

def process(name, text, step=1000):
    out = buffers.setdefault(name, [])
    total = -(-len(text) // step)
    for n, start in enumerate(range(0, len(text), step), 1):
        out.append(llm_query(f"{name} {n}/{total} {text[start:start + step]}"))
        if n % 3 == 0 or n == total:
            print(f"{name}: {n}/{total} done ({n / total:.0%})")
    return out

for name in ("auth.log", "orders.csv"):
    start = context.index(name)
    process(name, context[start:context.index("\n===", start)])
print({k: len(v) for k, v in buffers.items()})
print(buffers["orders.csv"][0])

# %% compare two documents pairwise
from itertools import combinations

docs = {p.split("\n")[0].strip("= "): p for p in context.split("\n\n=== ")}
names = sorted(docs)[:4]
pairs = list(combinations(names, 2))
prompts = [f"{a} vs {b}?" for a, b in pairs]
replies = llm_query_batched(prompts)
for (a, b), r in zip(pairs, replies):
    common = len(set(docs[a].split()) & set(docs[b].split()))
    print(f"{a:<14}{b:<14}{common:>4}  {r}")
print(len(pairs))

# %% score chunks by keyword before asking
import re
from heapq import nlargest

KEYWORDS = {"error": 3, "timeout": 5, "exhausted": 5, "failed": 2, "warn": 1}

def relevance(text):
    words = re.findall(r"[a-z]+", text.lower())
    return sum(KEYWORDS.get(w, 0) for w in words)

lines = context.splitlines()
chunks = ["\n".join(lines[i:i + 12]) for i in range(0, len(lines), 12)]
best = nlargest(3, enumerate(chunks), key=lambda p: relevance(p[1]))
for i, chunk in best:
    print(f"chunk {i} score {relevance(chunk)}: {llm_query(f'Explain chunk {i}: ' + chunk)!r}")
print([relevance(c) for c in chunks])

# %% pipeline class with stages
class Pipeline:
    def __init__(self):
        self.stages = []

    def stage(self, fn):
        self.stages.append(fn)
        return fn

    def run(self, data):
        for fn in self.stages:
            before = len(data)
            data = fn(data)
            print(f"{fn.__name__}: {before} -> {len(data)}")
        return data

p = Pipeline()

@p.stage
def split(text):
    return [s.strip() for s in text.split("===") if s.strip()]

@p.stage
def keep_bodies(parts):
    return [x for x in parts if "\n" in x]

@p.stage
def ask(parts):
    return llm_query_batched([f"Summary of {len(x)} chars: {x}" for x in parts])

out = p.run(context)
print(*out, sep="\n")

# %% timeline from several sources with model labels
import re
from datetime import datetime

events = []
for m in re.finditer(r"^(\S+Z) ERROR\s+\[(\w+)\] service=(\w+).*?(?:msg=\"(.*?)\")", context, re.M):
    ts = datetime.fromisoformat(m[1].rstrip("Z"))
    events.append({"at": ts, "who": f"{m[3]}/{m[2]}", "msg": m[4]})
labels = llm_query_batched([f"{e['who']}: {e['msg']}" for e in events])
for e, label in zip(events, labels):
    e["label"] = label.removeprefix("echo: ")
start = events[0]["at"]
for e in events:
    print(f"+{(e['at'] - start).total_seconds() / 60:6.1f} min  {e['label']}")
print((events[-1]["at"] - start))

# %% dedupe answers across chunks
import re

def facts_from(chunk):
    return re.findall(r"\b(\w+) ([\d.]+|\w+) (?:from|by) (\S+)", chunk)

seen, unique = set(), []
for i in range(0, len(context), 1500):
    for fact in facts_from(context[max(0, i - 100):i + 1500]):
        key = tuple(f.lower() for f in fact)
        if key not in seen:
            seen.add(key)
            unique.append(fact)
print(len(unique))
for fact in unique[:6]:
    print(" ".join(fact))
numbered = "\n".join(f"{i}. {' '.join(f)}" for i, f in enumerate(unique, 1))
print(llm_query(f"Check {len(unique)} facts:\n{numbered}"))

# %% verify an answer with a second query
def answer_with_check(question, evidence, attempts=2):
    history = []
    for attempt in range(attempts):
        prompt = f"Q{attempt}: {question}"
        if history:
            prompt += f" (previous: {history[-1][0][:10]})"
        answer = llm_query(prompt + "\n" + evidence)
        verdict = llm_query(f"Is this right? {answer}")
        history.append((answer, verdict))
        if verdict.lower().startswith("yes"):
            break
    return answer, history

evidence = next(l for l in context.splitlines() if "112 steps" in l)
answer, history = answer_with_check("How many steps?", evidence)
for i, (a, v) in enumerate(history):
    print(i, repr(a), repr(v))
FINAL = answer.split("\n")[0]
FINAL

# %% prompts from a table
import csv
import io

csv_text = context.split("=== orders.csv ===")[1].split("\n\n===")[0].strip()
rows = list(csv.DictReader(io.StringIO(csv_text)))
TEMPLATE = "{customer} ordered {qty} x {product} on {date}."
prompts = [TEMPLATE.format(**r) for r in rows if r["qty"]]
replies = llm_query_batched(prompts)
by_customer = {}
for r, reply in zip((r for r in rows if r["qty"]), replies):
    by_customer.setdefault(r["customer"], []).append(reply)
for customer, rs in sorted(by_customer.items()):
    print(customer)
    for reply in rs:
        print("   *", reply)

# %% chunk by lines keeping headers
def with_header(lines, header, n):
    header_line = f"# {header}"
    out = []
    for i in range(0, len(lines), n):
        body = lines[i:i + n]
        out.append("\n".join([header_line, f"# lines {i + 1}-{i + len(body)}", *body]))
    return out

sections, name = {}, None
for line in context.splitlines():
    if line.startswith("=== "):
        name = line[4:-4]
        sections[name] = []
    elif line:
        sections[name].append(line)

all_chunks = [c for name, lines in sections.items() for c in with_header(lines, name, 15)]
print(len(all_chunks), "chunks")
for chunk, reply in zip(all_chunks, llm_query_batched(all_chunks)):
    head = chunk.split("\n", 2)
    print(f"{head[0][2:]:<13} {head[1][2:]:<14} {reply[:30]!r}")

# %% early stop when the answer is found
import re

def search(text, size=900):
    for n, start in enumerate(range(0, len(text), size)):
        piece = text[start:start + size + 60]
        m = re.search(r"secret code.*? is (\S+?),", piece, re.S)
        reply = llm_query(f"piece {n}: {'yes' if m else 'no'}")
        print(reply)
        if "yes" in reply:
            return m.group(1), n
    else:
        return None, -1

code, where = search(context[::1])
print(f"found {code!r} in piece {where}" if code else "nothing")
