# %% count application lines by level
from collections import Counter
import re

levels = re.findall(r"^\S+Z (INFO|WARN|ERROR)\b", context, flags=re.MULTILINE)
counts = Counter(levels)
for level, n in counts.most_common():
    print(f"{level:<6}{n:>4}  {'#' * n}")
counts

# %% overview of the sections
sections = {}
current = None
for line in context.splitlines():
    if line.startswith("=== ") and line.endswith(" ==="):
        current = line.strip("= ")
        sections[current] = []
    elif current is not None and line.strip():
        sections[current].append(line)

print(f"Total length: {len(context)} chars, {len(context.splitlines())} lines")
for name, lines in sections.items():
    longest = max(lines, key=len)
    print(f"- {name}: {len(lines)} lines, longest {len(longest)}: {longest[:30]!r}...")

# %% top source addresses over everything
import re
from collections import Counter

IP = re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b")
top = Counter(IP.findall(context)).most_common(5)
print("Top 5 IPs")
for rank, (ip, hits) in enumerate(top, start=1):
    print(f"{rank}. {ip:<15} {hits:>3} hits")
total = sum(h for _, h in top)
print(f"share of first: {top[0][1] / total:.1%}")

# %% failed logins grouped by user and address
import re
from collections import defaultdict

pattern = re.compile(r"Failed password for (?:invalid user )?(?P<user>\w+) from (?P<ip>[\d.]+)")
by_ip = defaultdict(lambda: defaultdict(int))
for m in pattern.finditer(context):
    by_ip[m["ip"]][m["user"]] += 1

for ip in sorted(by_ip, key=lambda k: (-sum(by_ip[k].values()), k)):
    users = by_ip[ip]
    detail = ", ".join(f"{u}x{n}" for u, n in sorted(users.items()))
    print(f"{ip}: {sum(users.values())} failures ({detail})")
{ip: dict(users) for ip, users in by_ip.items()}

# %% status code table of the access log
import re

rows = re.findall(r'"([A-Z]+) (\S+) HTTP/[\d.]+" (\d{3}) (\d+) ([\d.]+)$', context, re.M)
table = {}
for method, path, status, size, secs in rows:
    entry = table.setdefault(status, {"n": 0, "bytes": 0, "time": 0.0})
    entry["n"] += 1
    entry["bytes"] += int(size)
    entry["time"] += float(secs)

print(f"{'status':>6} | {'count':>5} | {'bytes':>8} | {'avg s':>7}")
print("-" * 7 + "+" + "-" * 7 + "+" + "-" * 10 + "+" + "-" * 8)
for status in sorted(table):
    e = table[status]
    print(f"{status:>6} | {e['n']:>5} | {e['bytes']:>8,} | {e['time'] / e['n']:>7.3f}")
len(rows)

# %% half-hour buckets of requests
import re
from collections import OrderedDict

def bucket(hh: str, mm: str) -> str:
    """Round a time down to the half hour."""
    return f"{hh}:{'00' if int(mm) < 30 else '30'}"

hist: "OrderedDict[str, int]" = OrderedDict()
for hh, mm in re.findall(r"\[11/Mar/2024:(\d\d):(\d\d):\d\d", context):
    key = bucket(hh, mm)
    hist[key] = hist.get(key, 0) + 1

peak = max(hist.values())
for key, n in hist.items():
    print(key, "*" * n + "." * (peak - n), n)
busiest = [k for k, v in hist.items() if v == peak]
print("busiest:", *busiest)

# %% error rate per service
stats = {}
for line in context.split("\n"):
    parts = line.split()
    if len(parts) < 4 or parts[1] not in ("INFO", "WARN", "ERROR"):
        continue
    service = next((p.split("=", 1)[1] for p in parts if p.startswith("service=")), None)
    if service is None:
        continue
    ok, bad = stats.get(service, (0, 0))
    stats[service] = (ok, bad + 1) if parts[1] == "ERROR" else (ok + 1, bad)

ranked = sorted(stats.items(), key=lambda kv: kv[1][1] / sum(kv[1]), reverse=True)
for service, (ok, bad) in ranked:
    print(f"{service:10s} {bad}/{ok + bad}  {100 * bad / (ok + bad):6.2f}%")

# %% latency percentiles by hand
import re

times = sorted(float(t) for t in re.findall(r" (\d+\.\d{3})$", context, re.M))

def percentile(values, p):
    if not values:
        raise ValueError("no values")
    k = (len(values) - 1) * p / 100
    lo = int(k)
    hi = min(lo + 1, len(values) - 1)
    return values[lo] + (values[hi] - values[lo]) * (k - lo)

for p in (0, 25, 50, 75, 90, 95, 99, 100):
    print(f"p{p:<3} = {percentile(times, p):.4f}")
print("mean =", round(sum(times) / len(times), 4))
try:
    percentile([], 50)
except ValueError as exc:
    print(type(exc).__name__, "->", exc)

# %% first and last occurrence of each message
import re

seen = {}
for lineno, line in enumerate(context.splitlines(), 1):
    m = re.search(r'^(\S+Z) .*msg="([^"]+)"', line)
    if not m:
        continue
    ts, msg = m.groups()
    first, last, n = seen.get(msg, (ts, ts, 0))
    seen[msg] = (min(first, ts), max(last, ts), n + 1)

for msg, (first, last, n) in sorted(seen.items(), key=lambda x: (-x[1][2], x[0])):
    when = first[11:19] if first == last else f"{first[11:19]} .. {last[11:19]}"
    print(f"{n}x {msg:<26} {when}")

# %% parse key=value fields with quoted strings
import re

FIELD = re.compile(r'(\w+)=("([^"]*)"|\S+)')

def parse_fields(line: str) -> dict[str, object]:
    out: dict[str, object] = {}
    for key, raw, quoted in FIELD.findall(line):
        if raw.startswith('"'):
            out[key] = quoted
        elif raw.isdigit():
            out[key] = int(raw)
        else:
            out[key] = raw
    return out

records = [parse_fields(l) for l in context.splitlines() if " ERROR " in l]
print(len(records), "error records")
for r in records[:3]:
    print(r)
keys = sorted({k for r in records for k in r})
print(keys)
sum(r.get("waited_ms", 0) for r in records)

# %% sessions: pair opened and closed
import re

def seconds(clock):
    h, m, s = map(int, clock.split(":"))
    return h * 3600 + m * 60 + s

open_sessions = {}
finished = []
for line in context.splitlines():
    m = re.match(r"Mar 11 (\S+) (\S+) \w+\[(\d+)\]: pam_unix\S+ session (opened|closed) for user (\w+)", line)
    if m is None:
        continue
    clock, host, pid, what, user = m.groups()
    key = (host, pid)
    if what == "opened":
        open_sessions[key] = (user, seconds(clock))
    else:
        who, start = open_sessions.pop(key)
        finished.append((who, host, seconds(clock) - start))

for who, host, dur in sorted(finished, key=lambda t: t[2], reverse=True):
    minutes, secs = divmod(dur, 60)
    print(f"{who:>8}@{host:<9} {minutes:3d}m{secs:02d}s")
print("still open:", open_sessions)
finished

# %% join http errors with app errors on the second
import re

http = {}
for t, path, status in re.findall(r'\[11/Mar/2024:([\d:]{8}) \+0000\] "\w+ (\S+) \S+" (5\d\d)', context):
    http.setdefault(t, []).append(f"{status} {path}")

app = {}
for t, comp, msg in re.findall(r'^2024-03-11T([\d:]{8})Z ERROR \[(\w+)\] .*?msg="(.*?)"', context, re.M):
    app.setdefault(t, []).append(f"{comp}: {msg}")

for t in sorted(http.keys() | app.keys()):
    left = http.get(t, ["-"])
    right = app.get(t, ["-"])
    print(t, "|", "; ".join(left), "|", "; ".join(right))
print("both:", sorted(set(http) & set(app)))
print("only app:", sorted(set(app) - set(http)))

# %% deduplicate lines ignoring pids, ports and times
import re

def normalise(line):
    line = re.sub(r"\b\d\d:\d\d:\d\d\b", "<time>", line)
    line = re.sub(r"\[\d+\]", "[<pid>]", line)
    line = re.sub(r"port \d+", "port <n>", line)
    return re.sub(r"192\.0\.2\.\d+", "<ip>", line)

auth = context.split("=== access.log ===")[0].splitlines()[1:]
shapes = {}
for l in filter(None, auth):
    shapes[normalise(l)] = shapes.get(normalise(l), 0) + 1
print(f"{len(auth)} lines -> {len(shapes)} shapes")
for shape, n in sorted(shapes.items(), key=lambda p: (-p[1], p[0]))[:6]:
    print(f"{n:2} {shape[:90]}")

# %% anomaly detection by z-score
import re
from statistics import mean, pstdev

samples = [(int(m.start()), float(m.group(1))) for m in re.finditer(r" (\d\.\d{3})$", context, re.M)]
values = [v for _, v in samples]
mu, sigma = mean(values), pstdev(values)
print(f"mu={mu:.4f} sigma={sigma:.4f} n={len(values)}")
outliers = [v for v in values if abs(v - mu) / sigma > 1.5]
print("outliers:", sorted(outliers, reverse=True))
print("all slow?", all(v > 1 for v in outliers))

# %% brute force detection with a sliding window
import re
from collections import defaultdict, deque

WINDOW, LIMIT = 60, 3
recent = defaultdict(deque)
alerts = []
for h, m, s, ip in re.findall(r"Mar 11 (\d\d):(\d\d):(\d\d) .*Failed password .* from ([\d.]+)", context):
    t = int(h) * 3600 + int(m) * 60 + int(s)
    q = recent[ip]
    q.append(t)
    while q and t - q[0] > WINDOW:
        q.popleft()
    if len(q) >= LIMIT:
        alerts.append(f"{h}:{m}:{s} {ip} made {len(q)} failures in {q[-1] - q[0]}s")

print("\n".join(alerts) or "no alerts")
{ip: list(q) for ip, q in sorted(recent.items())}

# %% largest responses with a formatted report
import re

lines = [l for l in context.splitlines() if "HTTP/1.1" in l]
parsed = []
for l in lines:
    ip, rest = l.split(" ", 1)
    request = l.split('"')[1]
    status, size, secs = l.rsplit('"', 1)[1].split()
    parsed.append({"ip": ip, "path": request.split()[1], "status": int(status), "size": int(size)})

parsed.sort(key=lambda r: r["size"], reverse=True)
width = max(len(r["path"]) for r in parsed[:5])
print(f"{'path':<{width}}  {'size':>10}")
for r in parsed[:5]:
    print(f"{r['path']:<{width}}  {r['size']:>10,d}")
print(f"{'total':.<{width}}  {sum(r['size'] for r in parsed):>10_d}")

# %% timestamps with datetime and gaps between app lines
from datetime import datetime, timedelta
import re

stamps = [datetime.strptime(s, "%Y-%m-%dT%H:%M:%SZ") for s in re.findall(r"^(2024-\S+Z) ", context, re.M)]
print(stamps[0], "to", stamps[-1], "span", stamps[-1] - stamps[0])
gaps = [(b - a, a) for a, b in zip(stamps, stamps[1:])]
longest, since = max(gaps)
print(f"longest silence {longest} after {since:%H:%M:%S}")
print(sum(1 for g, _ in gaps if g == timedelta(0)), "gaps of zero")
big = [since.isoformat() for gap, since in gaps if gap > timedelta(minutes=20)]
big

# %% class based log parser
import re

class AccessLog:
    LINE = re.compile(r'^(\S+) - (\S+) \[([^\]]+)\] "(\S+) (\S+) [^"]+" (\d+) (\d+) (\S+)$')

    def __init__(self, text):
        self.rows = []
        self.skipped = 0
        for line in text.splitlines():
            m = self.LINE.match(line)
            if m:
                self.rows.append(m.groups())
            else:
                self.skipped += 1

    def __len__(self):
        return len(self.rows)

    def count_by(self, index):
        result = {}
        for row in self.rows:
            result[row[index]] = result.get(row[index], 0) + 1
        return dict(sorted(result.items(), key=lambda kv: (-kv[1], kv[0])))

log = AccessLog(context)
print(len(log), "rows,", log.skipped, "skipped")
print("methods:", log.count_by(3))
print("users:", log.count_by(1))
list(log.count_by(4).items())[:4]

# %% grouping traces across lines
import re
from itertools import groupby

pairs = sorted((m.group(2), m.group(1)) for m in re.finditer(r"ERROR \[(\w+)\].* trace=(\w+)", context))
for trace, group in groupby(pairs, key=lambda p: p[0]):
    chain = " -> ".join(comp for _, comp in group)
    print(f"trace {trace}: {chain}")
multi = {t: n for t, n in ((k, len(list(g))) for k, g in groupby(pairs, key=lambda p: p[0])) if n > 1}
multi

# %% successful login after failures
import re

events = re.findall(r"(Failed|Accepted) (\w+) for (?:invalid user )?(\w+) from (\S+)", context)
fails, verdicts = {}, {}
for outcome, method, user, ip in events:
    if outcome == "Failed":
        fails[user] = fails.get(user, 0) + 1
    else:
        before = fails.pop(user, 0)
        verdicts.setdefault(user, []).append((method, before))

for user, vs in verdicts.items():
    note = "SUSPICIOUS" if any(b for _, b in vs) else "ok"
    print(f"{user:<8}{note:<12}{vs}")
print("never got in:", sorted(fails))

# %% key error when a level is missing
import re

counts = {"INFO": 0, "WARN": 0}
for lvl in re.findall(r"Z (INFO|WARN|ERROR)", context):
    try:
        counts[lvl] += 1
    except KeyError as e:
        print("new level:", e, repr(e))
        counts[lvl] = 1
print(counts)
for wanted in ("INFO", "DEBUG"):
    print(wanted, "=", counts[wanted])

# %% rate of bytes per hour as ascii chart
import re

def bar(value, top, width=24):
    filled = round(width * value / top) if top else 0
    return "█" * filled + "░" * (width - filled)

per_hour = {}
for hour, size in re.findall(r':(\d\d):\d\d:\d\d \+0000\] "[^"]+" \d+ (\d+)', context):
    per_hour[hour] = per_hour.get(hour, 0) + int(size)
top = max(per_hour.values())
for hour in sorted(per_hour):
    print(f"{hour}h |{bar(per_hour[hour], top)}| {per_hour[hour] / 1024:8.1f} KiB")

# %% took_ms statistics with statistics module
import re
import statistics as st

took = {}
for comp, ms in re.findall(r"\[(\w+)\].*?took_ms=(\d+)", context):
    took.setdefault(comp, []).append(int(ms))
for comp, vals in sorted(took.items()):
    med = st.median(vals)
    spread = st.stdev(vals) if len(vals) > 1 else 0.0
    print(f"{comp:<8} n={len(vals)} min={min(vals)} med={med:g} max={max(vals)} sd={spread:.1f}")
try:
    st.mean([])
except st.StatisticsError as e:
    print("StatisticsError:", e)

# %% job lifecycle state check
import re

state_of = {}
problems = []
for ts, job, state in re.findall(r"T(\S+)Z \w+\s+\[jobs\].* job=(\w+) state=(\w+)", context):
    prev = state_of.get(job, "idle")
    match (prev, state):
        case ("idle" | "finished" | "failed", "started"):
            pass
        case ("started", "finished"):
            pass
        case ("started", "failed"):
            problems.append(f"{job} failed at {ts}")
        case (a, b):
            problems.append(f"{job}: illegal {a} -> {b}")
    state_of[job] = state
print(state_of)
print(problems)
assert not problems, f"{len(problems)} problem(s): {problems[0]}"

# %% scanning clients by 4xx ratio
import re

clients = {}
for ip, status in re.findall(r'^(\d\S+) - .*" (\d{3}) ', context, re.M):
    total, bad = clients.get(ip, (0, 0))
    clients[ip] = (total + 1, bad + (status[0] == "4"))

scanners = [ip for ip, (t, b) in clients.items() if b / t >= 0.5]
print("scanners:", sorted(scanners, key=lambda s: [int(x) for x in s.split(".")]))
for ip, (t, b) in sorted(clients.items(), key=lambda kv: tuple(map(int, kv[0].split(".")))):
    flag = " <-- scanner" if ip in scanners else ""
    print(f"{ip:<12}{b:>2}/{t:<2}{flag}")

# %% grep with context lines
def grep(text, needle, before=1, after=1):
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if needle.lower() in line.lower():
            lo, hi = max(0, i - before), min(len(lines), i + after + 1)
            yield i + 1, lines[lo:hi]

for lineno, block in grep(context, "out of MEMORY"):
    print(f"--- line {lineno}")
    for b in block:
        print("   ", b[:70])
print(len(list(grep(context, "tea"))), "lines mention tea")
next(grep(context, "no such text here"), "nothing")

# %% int conversion fails on a dash field
line = next(l for l in context.splitlines() if "/admin" in l)
fields = line.split()
print(fields[0], fields[2], fields[8])
print("status:", int(fields[8]))
user_id = int(fields[2])
print("unreachable", user_id)

# %% url normalisation and method matrix
import re
from collections import Counter

def route(path):
    path = path.split("?", 1)[0]
    return re.sub(r"/\d+", "/:id", path)

matrix = Counter((m, route(p)) for m, p in re.findall(r'"([A-Z]+) (/\S*) HTTP', context))
methods = sorted({m for m, _ in matrix})
routes = sorted({r for _, r in matrix}, key=lambda r: (-sum(matrix[m, r] for m in methods), r))
print(" " * 18 + "".join(f"{m:>8}" for m in methods))
for r in routes[:8]:
    print(f"{r:<18}" + "".join(f"{matrix[m, r] or '.':>8}" for m in methods))

# %% incident timeline merging three log kinds
import re

timeline = []
for line in context.splitlines():
    if m := re.match(r"Mar 11 ([\d:]+) (\S+) (\w+)", line):
        if "Failed" in line:
            timeline.append((m[1], "auth", line.split(": ", 1)[1][:38]))
    elif m := re.search(r'Mar/2024:([\d:]+) .*"(\w+ \S+) \S+" (5\d\d)', line):
        timeline.append((m[1], "http", f"{m[3]} {m[2]}"))
    elif m := re.match(r'\S+T([\d:]+)Z ERROR \[(\w+)\].*msg="([^"]+)', line):
        timeline.append((m[1], "app", f"[{m[2]}] {m[3]}"))
timeline.sort()
for when, kind, text in timeline[-12:]:
    print(f"{when} {kind:>4}: {text}")
len(timeline)

# %% uptime between version changes
import re

def to_minutes(ts: str) -> float:
    h, m, s = (int(x) for x in ts[11:19].split(":"))
    return round(h * 60 + m + s / 60, 2)

boots = {}
for ts, service, version in re.findall(r"^(\S+) INFO .*service=(\w+) version=([\d.]+)", context, re.M):
    boots.setdefault(service, []).append((to_minutes(ts), version))
for service, b in boots.items():
    print(service, b, "restarted after", b[-1][0] - b[0][0], "min")
minor = {s: tuple(map(int, b[-1][1].split("."))) for s, b in boots.items()}
print(minor, minor["cart"] < (2, 10, 0))
boots.get("orders", "never booted")
