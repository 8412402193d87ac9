# %% failed logins by address
import re
from collections import Counter

failed_re = re.compile(r"Failed password for (?:invalid user )?(\S+) from (\d+\.\d+\.\d+\.\d+)")

by_ip = Counter()
users_by_ip = {}
for line in context.splitlines():
    m = failed_re.search(line)
    if not m:
        continue
    user, ip = m.groups()
    by_ip[ip] += 1
    users_by_ip.setdefault(ip, set()).add(user)

print("Failed logins by IP:")
for ip, count in by_ip.most_common():
    users = ", ".join(sorted(users_by_ip[ip]))
    print(f"  {ip:<15} {count:>3}  users: {users}")

suspicious = [ip for ip, n in by_ip.items() if n >= 3]
print(f"Suspicious: {suspicious}")

# %% access log status summary
import re
from collections import defaultdict

LOG_PATTERN = re.compile(
    r'(?P<ip>\S+) - (?P<user>\S+) \[(?P<time>[^\]]+)\] '
    r'"(?P<method>[A-Z]+) (?P<path>\S+) [^"]+" (?P<status>\d{3}) (?P<size>\d+) (?P<duration>[\d.]+)'
)

records = []
for line in context.split("\n"):
    match = LOG_PATTERN.match(line)
    if match:
        rec = match.groupdict()
        rec["status"] = int(rec["status"])
        rec["size"] = int(rec["size"])
        rec["duration"] = float(rec["duration"])
        records.append(rec)

print(f"Parsed {len(records)} requests")
stats = defaultdict(lambda: {"count": 0, "bytes": 0, "time": 0.0})
for r in records:
    bucket = f"{r['status'] // 100}xx"
    stats[bucket]["count"] += 1
    stats[bucket]["bytes"] += r["size"]
    stats[bucket]["time"] += r["duration"]

for bucket in sorted(stats):
    s = stats[bucket]
    print(f"{bucket}: {s['count']:3d} requests, {s['bytes']:>8,} bytes, avg {s['time'] / s['count']:.3f}s")

# %% key value fields of the app log
import re

def parse_kv(line):
    ts, level, rest = line.split(None, 2)
    fields = {"ts": ts, "level": level}
    m = re.match(r"\[(\w+)\]", rest)
    fields["component"] = m.group(1) if m else None
    for key, quoted, bare in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', rest):
        fields[key] = quoted or bare
    return fields

app_section = context.split("=== app.log ===")[1].split("===")[0]
events = [parse_kv(line) for line in app_section.strip().splitlines()]
errors = [e for e in events if e["level"] == "ERROR"]
print(f"{len(events)} events, {len(errors)} errors")
for e in errors:
    print(f"{e['ts'][11:19]} {e['service']:<8} {e.get('msg', '?')} (trace={e.get('trace', 'n/a')})")

# %% events per hour histogram
import re
from collections import Counter
from datetime import datetime

timestamps = re.findall(r"^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})Z", context, re.MULTILINE)
hours = Counter()
for ts in timestamps:
    dt = datetime.strptime(ts, "%Y-%m-%dT%H:%M:%S")
    hours[dt.strftime("%Y-%m-%d %H:00")] += 1

peak = max(hours.values())
for hour, n in sorted(hours.items()):
    bar = "#" * int(n / peak * 40)
    print(f"{hour} | {bar:<40} {n}")
busiest, n = hours.most_common(1)[0]
print(f"Busiest hour: {busiest} ({n} events)")

# %% latency percentiles by path
import re
from collections import defaultdict

def percentile(values, p):
    if not values:
        return None
    values = sorted(values)
    k = (len(values) - 1) * p / 100
    lo = int(k)
    hi = min(lo + 1, len(values) - 1)
    return values[lo] + (values[hi] - values[lo]) * (k - lo)

latencies = defaultdict(list)
for m in re.finditer(r'"(\w+) ([^ ?]+)[^"]*" (\d+) \d+ ([\d.]+)$', context, re.M):
    method, path, status, took = m.groups()
    path = re.sub(r"/\d+", "/:id", path)
    latencies[method, path].append(float(took))

print(f"{'endpoint':<30}{'n':>4}{'p50':>9}{'p95':>9}{'max':>9}")
for (method, path), vals in sorted(latencies.items(), key=lambda kv: -max(kv[1])):
    p50, p95 = percentile(vals, 50), percentile(vals, 95)
    print(f"{method + ' ' + path:<30}{len(vals):>4}{p50:>9.3f}{p95:>9.3f}{max(vals):>9.3f}")

# %% ssh sessions as dataclasses
import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Optional

@dataclass
class Session:
    user: str
    host: str
    opened: datetime
    closed: Optional[datetime] = None

    @property
    def duration(self):
        if self.closed is None:
            return None
        return (self.closed - self.opened).total_seconds()

open_sessions = {}
finished = []
for line in context.splitlines():
    m = re.match(r"(\w{3} \d+ [\d:]+) (\S+) \S+\[(\d+)\]: pam_unix\(\w+:session\): session (opened|closed) for user (\w+)", line)
    if not m:
        continue
    when = datetime.strptime("2024 " + m[1], "%Y %b %d %H:%M:%S")
    host, pid, what, user = m[2], m[3], m[4], m[5]
    key = (host, pid)
    if what == "opened":
        open_sessions[key] = Session(user, host, when)
    elif key in open_sessions:
        s = open_sessions.pop(key)
        s.closed = when
        finished.append(s)

for s in sorted(finished, key=lambda s: s.duration, reverse=True):
    print(f"{s.user:<8} on {s.host}: {s.duration / 60:.1f} min ({s.opened:%H:%M} - {s.closed:%H:%M})")
print("still open:", len(open_sessions))
print(finished[0])

# %% error bursts
from datetime import datetime, timedelta

section = context[context.index("=== app.log ==="):context.index("=== orders.csv ===")]
errors = []
for line in section.splitlines()[1:]:
    parts = line.split()
    if len(parts) > 2 and parts[1] == "ERROR":
        errors.append((datetime.fromisoformat(parts[0].replace("Z", "+00:00")), line))

def bursts(items, gap=timedelta(minutes=5)):
    current = []
    for ts, line in items:
        if current and ts - current[-1][0] > gap:
            yield current
            current = []
        current.append((ts, line))
    if current:
        yield current

for i, burst in enumerate(bursts(errors), start=1):
    start, end = burst[0][0], burst[-1][0]
    print(f"Burst {i}: {len(burst)} errors from {start.isoformat()} to {end:%H:%M:%S} ({end - start})")

# %% timeline of one user
import re

def lines_about(user, text):
    section = None
    for no, line in enumerate(text.splitlines(), 1):
        header = re.fullmatch(r"=== (.+) ===", line)
        if header:
            section = header.group(1)
        elif re.search(rf"\b{re.escape(user)}\b", line):
            yield section, no, line

found = list(lines_about("tobias", context))
print(f"{len(found)} lines mention tobias")
for section, no, line in found:
    preview = line if len(line) <= 70 else line[:67] + "..."
    print(f"[{section}:{no:03d}] {preview}")

# %% brute force detector class
import re
from collections import defaultdict, deque

class BruteForceDetector:
    def __init__(self, threshold=3, window=60):
        self.threshold = threshold
        self.window = window
        self.attempts = defaultdict(deque)
        self.alerts = []

    @staticmethod
    def to_seconds(clock):
        h, m, s = map(int, clock.split(":"))
        return h * 3600 + m * 60 + s

    def feed(self, clock, ip, user):
        now = self.to_seconds(clock)
        q = self.attempts[ip]
        q.append(now)
        while q and now - q[0] > self.window:
            q.popleft()
        if len(q) >= self.threshold:
            self.alerts.append((clock, ip, len(q), user))

    def __repr__(self):
        return f"BruteForceDetector(threshold={self.threshold}, alerts={len(self.alerts)})"

detector = BruteForceDetector()
for line in context.splitlines():
    m = re.search(r"(\d\d:\d\d:\d\d) .*Failed password for (?:invalid user )?(\w+) from ([\d.]+)", line)
    if m:
        detector.feed(m.group(1), m.group(3), m.group(2))
for clock, ip, n, user in detector.alerts:
    print(f"ALERT {clock} {ip}: {n} failures within {detector.window}s (last user {user})")
print(detector)

# %% group consecutive lines with groupby
import re
from itertools import groupby
from operator import itemgetter

rows = []
for line in context.splitlines():
    m = re.match(r"(\S+Z) (INFO|WARN|ERROR)\s+\[(\w+)\] service=(\w+)", line)
    if m:
        rows.append(dict(zip(("ts", "level", "component", "service"), m.groups())))

rows.sort(key=itemgetter("service", "ts"))
for service, group in groupby(rows, key=itemgetter("service")):
    group = list(group)
    levels = {lvl: sum(1 for r in group if r["level"] == lvl) for lvl in ("INFO", "WARN", "ERROR")}
    first, last = group[0]["ts"], group[-1]["ts"]
    print(f"{service:10s} {levels} first={first} last={last}")

# %% level pivot table
from collections import Counter, defaultdict
import re

pivot = defaultdict(Counter)
for level, service in re.findall(r"^\S+Z (\w+)\s+\[\w+\] service=(\w+)", context, flags=re.M):
    pivot[service][level] += 1

levels = ["INFO", "WARN", "ERROR"]
header = "service".ljust(12) + "".join(l.rjust(8) for l in levels) + "total".rjust(8)
print(header)
print("-" * len(header))
for service in sorted(pivot, key=lambda s: (-pivot[s]["ERROR"], s)):
    counts = pivot[service]
    print(service.ljust(12) + "".join(str(counts[l]).rjust(8) for l in levels) + str(sum(counts.values())).rjust(8))
totals = sum(pivot.values(), Counter())
print("total".ljust(12) + "".join(str(totals[l]).rjust(8) for l in levels) + str(sum(totals.values())).rjust(8))

# %% normalise messages to templates
import re
from collections import Counter

SAMPLE = """\
2024-05-01 10:00:01 ERROR Timeout after 3000ms connecting to 10.0.0.12:5432
2024-05-01 10:00:05 ERROR Timeout after 3012ms connecting to 10.0.0.13:5432
2024-05-01 10:01:17 WARN Retrying job 8f14e45f-ceea-467f-a0e6-bd1a2f3c4d5e (attempt 2)
2024-05-01 10:02:41 ERROR User 4711 not found
2024-05-01 10:03:00 ERROR User 4712 not found
2024-05-01 10:03:09 WARN Retrying job c9f0f895-fb98-4b91-99f3-1d2e3f4a5b6c (attempt 3)
"""

SUBS = [
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "<UUID>"),
    (re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b"), "<ADDR>"),
    (re.compile(r"\b\d+ms\b"), "<DUR>"),
    (re.compile(r"\b\d+\b"), "<NUM>"),
]

def template(message):
    for pattern, repl in SUBS:
        message = pattern.sub(repl, message)
    return message

counts = Counter()
examples = {}
for line in SAMPLE.strip().split("\n"):
    date, time, level, message = line.split(" ", 3)
    t = f"{level} {template(message)}"
    counts[t] += 1
    examples.setdefault(t, message)
for t, n in counts.most_common():
    print(f"{n}x {t}\n    e.g. {examples[t]}")

# %% stack traces in a log
import re

LOG = '''INFO starting
ERROR unhandled exception
Traceback (most recent call last):
  File "/srv/app/main.py", line 42, in handle
    result = process(item)
  File "/srv/app/work.py", line 7, in process
    return item["id"] / item["n"]
ZeroDivisionError: division by zero
INFO continuing
ERROR unhandled exception
Traceback (most recent call last):
  File "/srv/app/main.py", line 42, in handle
    result = process(item)
KeyError: 'id'
INFO done
'''

def extract_tracebacks(text):
    current = None
    for line in text.splitlines():
        if line.startswith("Traceback"):
            current = {"frames": [], "error": None}
        elif current is not None:
            m = re.match(r'\s+File "([^"]+)", line (\d+), in (\w+)', line)
            if m:
                current["frames"].append((m.group(1).rsplit("/", 1)[-1], int(m.group(2)), m.group(3)))
            elif not line.startswith(" "):
                name, _, message = line.partition(": ")
                current["error"] = (name, message)
                yield current
                current = None

for tb in extract_tracebacks(LOG):
    name, message = tb["error"]
    where = " -> ".join(f"{f}:{n}" for f, n, _ in tb["frames"])
    print(f"{name}: {message!r} via {where}")

# %% bandwidth per client with human sizes
import re
from collections import defaultdict

def human_size(n):
    for unit in ["B", "KB", "MB", "GB"]:
        if n < 1024 or unit == "GB":
            return f"{n:.1f} {unit}" if unit != "B" else f"{n} B"
        n /= 1024

totals = defaultdict(int)
hits = defaultdict(int)
for line in context.splitlines():
    if '"GET' not in line and '"POST' not in line:
        continue
    ip = line.split()[0]
    m = re.search(r'" (\d{3}) (\d+) ', line)
    if m is None:
        continue
    totals[ip] += int(m[2])
    hits[ip] += 1
for ip in sorted(totals, key=totals.get, reverse=True):
    print(f"{ip:16}{hits[ip]:4d} hits {human_size(totals[ip]):>10}")
print("Total:", human_size(sum(totals.values())))

# %% correlate errors by trace id
import re
from collections import defaultdict

traces = defaultdict(list)
for line in context.splitlines():
    if (m := re.search(r"trace=(\w+)", line)):
        traces[m.group(1)].append(line)

multi = {t: ls for t, ls in traces.items() if len(ls) > 1}
print(f"{len(traces)} traces, {len(multi)} with more than one line")
for trace, ls in multi.items():
    print(f"\nTrace {trace}:")
    for l in ls:
        msg = re.search(r'msg="(.*?)"', l).group(1)
        comp = re.search(r"\[(.*?)\]", l).group(1)
        print(f"  {comp:>6}: {msg}")

# %% job durations from start and finish
from datetime import datetime
import re

starts = {}
report = []
for line in context.splitlines():
    m = re.match(r"(\S+) \w+\s+\[jobs\] .*job=(\w+) state=(\w+)(.*)", line)
    if not m:
        continue
    ts, job, state, extra = m.groups()
    t = datetime.strptime(ts, "%Y-%m-%dT%H:%M:%SZ")
    if state == "started":
        starts[job] = t
    else:
        delta = t - starts.pop(job)
        items = re.search(r"items=(\d+)", extra)
        report.append({
            "job": job,
            "state": state,
            "seconds": delta.seconds,
            "items": int(items.group(1)) if items else 0,
        })

for r in report:
    rate = r["items"] / r["seconds"] if r["seconds"] else 0
    print("{job:<8} {state:<9} {seconds:>4}s {items:>5} items".format(**r), f"({rate:.2f}/s)")
print("unfinished:", list(starts) or "none")

# %% parse with named tuple
import re
from typing import NamedTuple

class AccessEntry(NamedTuple):
    ip: str
    method: str
    path: str
    status: int
    size: int

    def is_error(self):
        return self.status >= 400

def parse(line):
    m = re.match(r'^([\d.]+) .*"(\S+) (\S+) HTTP/[\d.]+" (\d+) (\d+)', line)
    return AccessEntry(m[1], m[2], m[3], int(m[4]), int(m[5])) if m else None

entries = list(filter(None, map(parse, context.splitlines())))
bad = [e for e in entries if e.is_error()]
print(f"{len(bad)}/{len(entries)} errors ({len(bad) / len(entries):.1%})")
for e in sorted(bad, key=lambda e: (e.status, e.path)):
    print(e.status, e.method, e.path, e.ip)
print(bad[0])

# %% sliding window rate
from collections import deque

def requests_per_window(times, window):
    q = deque()
    for t in times:
        q.append(t)
        while q[0] <= t - window:
            q.popleft()
        yield t, len(q)

def clock_to_s(s):
    hh, mm, ss = (int(x) for x in s.split(":"))
    return hh * 3600 + mm * 60 + ss

times = []
for line in context.splitlines():
    if "HTTP/1.1" in line:
        stamp = line[line.index("[") + 1:line.index("]")]
        times.append(clock_to_s(stamp.split(":", 1)[1].split()[0]))

peak_t, peak_n = max(requests_per_window(sorted(times), 120), key=lambda x: x[1])
h, rem = divmod(peak_t, 3600)
m, s = divmod(rem, 60)
print(f"Peak: {peak_n} requests in 2 min ending at {h:02d}:{m:02d}:{s:02d}")

# %% severity ordering with enum
from enum import Enum
import re

class Level(Enum):
    INFO = 1
    WARN = 2
    ERROR = 3

pairs = []
for m in re.finditer(r"^(\S+Z) (INFO|WARN|ERROR) +\[(\w+)\]", context, re.M):
    pairs.append((Level[m.group(2)], m.group(3), m.group(1)))
worst = {}
for level, comp, ts in pairs:
    if comp not in worst or level.value > worst[comp].value:
        worst[comp] = level
for comp, level in sorted(worst.items(), key=lambda kv: (-kv[1].value, kv[0])):
    print(f"{comp:<8} {level.name} ({level.value})")
print([l.name for l in Level])

# %% user agent parsing from apache lines
import re
from collections import Counter

lines = [
    '203.0.113.5 - - [10/Oct/2023:13:55:36 +0000] "GET /index.html HTTP/1.1" 200 2326 "-" "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/117.0.0.0 Safari/537.36"',
    '203.0.113.9 - - [10/Oct/2023:13:55:40 +0000] "GET /a.png HTTP/1.1" 200 512 "http://example.com/" "Mozilla/5.0 (Macintosh; Intel Mac OS X 13_5) Version/16.5 Safari/605.1.15"',
    '203.0.113.7 - - [10/Oct/2023:13:56:02 +0000] "GET /robots.txt HTTP/1.1" 404 0 "-" "Googlebot/2.1 (+http://www.google.com/bot.html)"',
    '203.0.113.8 - - [10/Oct/2023:13:56:09 +0000] "POST /login HTTP/2" 302 0 "http://example.com/" "curl/8.1.2"',
]

BROWSERS = (("Googlebot", "bot"), ("curl", "tool"), ("Chrome", "chrome"), ("Safari", "safari"))

def classify(agent):
    return next((label for needle, label in BROWSERS if needle in agent), "other")

counter = Counter()
for line in lines:
    *_, referer, agent = re.findall(r'"([^"]*)"', line)
    kind = classify(agent)
    counter[kind] += 1
    print(f"{kind:>7} | referer={referer if referer != '-' else None}")
print(dict(counter))

# %% restart detection and version bumps
import re

boots = re.findall(r"^(\S+) INFO\s+\[boot\] service=(\S+) version=(\S+) .*pid=(\d+)$", context, re.M)
history = {}
for ts, svc, version, pid in boots:
    history.setdefault(svc, []).append((ts, tuple(int(p) for p in version.split(".")), int(pid)))

for svc, runs in history.items():
    print(f"{svc}: {len(runs)} boot(s)")
    for (t1, v1, p1), (t2, v2, p2) in zip(runs, runs[1:]):
        change = "upgraded" if v2 > v1 else "same version" if v2 == v1 else "downgraded"
        print(f"  {t1} -> {t2}: {change} {'.'.join(map(str, v1))} -> {'.'.join(map(str, v2))}, pid {p1} -> {p2}")

# %% log line to json
import json
import re

def to_record(line):
    m = re.match(r"(?P<timestamp>\S+)\s+(?P<level>\w+)\s+\[(?P<component>\w+)\]\s+(?P<rest>.*)", line)
    if not m:
        raise ValueError(f"unparsable line: {line!r}")
    rec = m.groupdict()
    rest = rec.pop("rest")
    extra = {}
    for k, v in re.findall(r'(\w+)=("[^"]*"|\S+)', rest):
        v = v.strip('"')
        extra[k] = int(v) if v.isdigit() else v
    return {**rec, "extra": extra}

lines = [l for l in context.splitlines() if l.startswith("2024-")]
records = []
for line in lines[:5] + ["garbage"]:
    try:
        records.append(to_record(line))
    except ValueError as exc:
        print("skip:", exc)
print(json.dumps(records[:2], indent=2))
print(json.dumps(records[2], sort_keys=True))

# %% merging logs chronologically
import heapq
import re

def auth_events(text):
    for m in re.finditer(r"^Mar 11 (\d\d:\d\d:\d\d) (\S+) (\S+?)(?:\[\d+\])?: (.*)$", text, re.M):
        yield m[1], "auth", m[4]

def app_events(text):
    for m in re.finditer(r"^2024-03-11T(\d\d:\d\d:\d\d)Z (\w+)\s+(.*)$", text, re.M):
        yield m[1], "app", f"{m[2]} {m[3]}"

def web_events(text):
    for m in re.finditer(r"\[11/Mar/2024:(\d\d:\d\d:\d\d) \+0000\] \"([^\"]+)\" (\d+)", text):
        yield m[1], "web", f"{m[2]} -> {m[3]}"

merged = list(heapq.merge(auth_events(context), app_events(context), web_events(context)))
print(len(merged), "events")
for t, source, what in merged[:25]:
    print(t, source.ljust(4), what[:60])

# %% top n report function
import re
from collections import Counter

def top(items, n=3, title=""):
    counts = Counter(items)
    lines = [title, "=" * len(title)]
    total = sum(counts.values())
    for rank, (item, c) in enumerate(counts.most_common(n), start=1):
        lines.append(f"{rank}. {item:<28}{c:>4} {c / total:>7.1%}")
    return "\n".join(lines)

requests = re.findall(r'^(\S+) .*?"(\w+) (\S+) HTTP', context, re.M)
ips, methods, paths = zip(*requests)
print(top(ips, title="Top clients"))
print()
print(top(methods, title="Methods"))
print()
print(top([p.split("?")[0] for p in paths], n=5, title="Paths"))

# %% log file reader through io
import csv
import io

def read_sections(text):
    sections, name = {}, None
    for line in io.StringIO(text):
        line = line.rstrip("\n")
        if line.startswith("=== ") and line.endswith(" ==="):
            name = line.strip("= ")
            sections[name] = []
        elif name is not None and line:
            sections[name].append(line)
    return sections

sections = read_sections(context)
for name, lines in sections.items():
    longest = max(lines, key=len)
    print(f"{name:<14} lines={len(lines):<3} longest={len(longest):<4} avg={sum(map(len, lines)) / len(lines):.1f}")

out = io.StringIO()
writer = csv.writer(out)
writer.writerow(["section", "lines"])
for name, lines in sections.items():
    writer.writerow([name, len(lines)])
print(out.getvalue())

# %% log levels with logging module
import logging
import io

stream = io.StringIO()
logger = logging.getLogger("analyzer")
logger.setLevel(logging.INFO)
handler = logging.StreamHandler(stream)
handler.setFormatter(logging.Formatter("%(levelname)s:%(name)s:%(message)s"))
logger.addHandler(handler)

def analyse(lines):
    n_err = 0
    for i, line in enumerate(lines):
        if " ERROR " in line:
            n_err += 1
            logger.warning("error on line %d: %s", i, line[:30])
        else:
            logger.debug("line %d ok", i)
    logger.info("%d of %d lines are errors", n_err, len(lines))
    return n_err

n = analyse([l for l in context.splitlines() if l.startswith("2024")])
print(stream.getvalue())
print("errors:", n)

# %% sla check with thresholds
import re

SLA = {"/health": 0.5, "/api/": 0.2, "/products/": 0.1, "/cart": 0.5}

def sla_for(path):
    for prefix, limit in SLA.items():
        if path.startswith(prefix):
            return prefix, limit
    return None, None

violations = {}
checked = 0
for line in context.splitlines():
    m = re.search(r'"(?:GET|POST|PUT|DELETE) (\S+) [^"]*" \d+ \d+ (\d+\.\d+)$', line)
    if not m:
        continue
    path, took = m.group(1), float(m.group(2))
    prefix, limit = sla_for(path)
    if prefix is None:
        continue
    checked += 1
    if took > limit:
        violations.setdefault(prefix, []).append(took)
for prefix in sorted(violations):
    v = violations[prefix]
    print(f"{prefix:<12} {len(v)} violation(s), worst {max(v):.3f}s (limit {SLA[prefix]}s, over by {max(v) / SLA[prefix]:.1f}x)")
print(f"{checked} checked, {sum(len(v) for v in violations.values())} violations")

# %% gaps between heartbeats
from datetime import datetime, timedelta
import re

beats = [
    datetime.strptime(m, "%d/%b/%Y:%H:%M:%S %z")
    for m in re.findall(r'\[([^\]]+)\] "GET /health', context)
]
expected = timedelta(minutes=30)
tolerance = timedelta(seconds=5)
print(f"{len(beats)} heartbeats between {beats[0]:%Y-%m-%d %H:%M} and {beats[-1]:%H:%M}")
for prev, cur in zip(beats, beats[1:]):
    gap = cur - prev
    status = "ok" if abs(gap - expected) <= tolerance else "MISSED"
    print(f"{prev:%H:%M:%S} -> {cur:%H:%M:%S}: {gap} {status}")
span = beats[-1] - beats[0]
print("average gap:", span / (len(beats) - 1))

# %% filter pipeline with generators
import re

def read(text):
    for line in text.splitlines():
        yield line.strip()

def grep(pattern, lines, invert=False):
    rx = re.compile(pattern, re.IGNORECASE)
    return (l for l in lines if bool(rx.search(l)) != invert)

def field(lines, i, sep=None):
    for l in lines:
        parts = l.split(sep)
        if len(parts) > i:
            yield parts[i]

def uniq_count(items):
    counts = {}
    for it in items:
        counts[it] = counts.get(it, 0) + 1
    return sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))

pipeline = field(grep(r"health", grep(r"http/1\.1", read(context)), invert=True), 6)
for path, n in uniq_count(pipeline):
    print(f"{n:>4} {path}")

# %% incident report builder
import re
import textwrap
from collections import OrderedDict

class IncidentReport:
    SEVERITIES = ("low", "medium", "high")

    def __init__(self, title):
        self.title = title
        self.findings = OrderedDict()

    def add(self, severity, text):
        if severity not in self.SEVERITIES:
            raise ValueError(f"unknown severity {severity!r}")
        self.findings.setdefault(severity, []).append(text)
        return self

    def render(self, width=60):
        out = [f"# {self.title}", ""]
        for severity in reversed(self.SEVERITIES):
            items = self.findings.get(severity, [])
            if not items:
                continue
            out.append(f"## {severity.upper()} ({len(items)})")
            for item in items:
                out.append(textwrap.fill(item, width=width, initial_indent="- ", subsequent_indent="  "))
            out.append("")
        return "\n".join(out).rstrip()

errs = re.findall(r'ERROR \[(\w+)\] service=(\w+) (?:job=\w+ state=failed )?msg="([^"]+)"', context)
report = IncidentReport("Outage 2024-03-11")
for comp, service, msg in errs:
    report.add("high" if comp in ("db", "mem") else "medium", f"The {service} service reported '{msg}' in its {comp} component, which needs a look.")
report.add("low", "Failed ssh logins came from several addresses.")
try:
    report.add("critical", "x")
except ValueError as e:
    print("refused:", e)
print(report.render())
