# %% plain retry loop with attempts
attempts = []

def flaky(n):
    attempts.append(n)
    if n < 3:
        raise ConnectionError(f"attempt {n} refused")
    return f"ok after {n}"

result = None
for i in range(1, 6):
    try:
        result = flaky(i)
        break
    except ConnectionError as e:
        print("retry:", e)
else:
    print("gave up")
print(result, attempts)

# %% decorator with arguments and wraps
import functools

def retry(times, exceptions=(Exception,)):
    """Retry the wrapped function."""
    def decorator(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            last = None
            for attempt in range(1, times + 1):
                try:
                    return fn(*args, **kwargs)
                except exceptions as e:
                    last = e
                    print(f"{fn.__name__} #{attempt}: {type(e).__name__}: {e}")
            raise last
        return wrapper
    return decorator

values = iter(["x", "", "42"])

@retry(times=3, exceptions=(ValueError,))
def read_number():
    """Read one number."""
    return int(next(values))

print(read_number(), read_number.__name__, read_number.__doc__)
try:
    read_number()
except StopIteration as e:
    print("input exhausted", e.args)

# %% exponential backoff schedule with cap
import time

def backoff(base=0.5, factor=2.0, cap=10.0):
    delay = base
    while True:
        yield min(delay, cap)
        delay *= factor

waited = 0.0
for attempt, delay in enumerate(backoff(), start=1):
    time.sleep(0)
    waited += delay
    print(f"attempt {attempt}: would wait {delay:>5.2f}s (total {waited:.2f})")
    if waited > 25:
        break
[min(2 ** n, 30) for n in range(7)]

# %% circuit breaker as a class
class CircuitBreaker:
    def __init__(self, limit=2, cooldown=2):
        self.limit, self.cooldown = limit, cooldown
        self.failures = 0
        self.state = "closed"
        self.skipped = 0

    def call(self, fn, *args):
        if self.state == "open":
            self.skipped += 1
            if self.skipped < self.cooldown:
                return "rejected"
            self.state = "half-open"
        try:
            value = fn(*args)
        except OSError as e:
            self.failures += 1
            if self.failures >= self.limit or self.state == "half-open":
                self.state, self.skipped = "open", 0
            return f"error({e})"
        self.failures, self.state = 0, "closed"
        return value

def service(ok):
    if not ok:
        raise OSError("down")
    return "fine"

cb = CircuitBreaker()
for ok in (True, False, False, True, False, True, True, True):
    print(f"{cb.call(service, ok):<12}{cb.state}")

# %% fallback chain of parsers
from datetime import datetime
import json

def as_json(s): return json.loads(s)
def as_float(s): return float(s.replace(",", "."))
def as_date(s): return datetime.strptime(s, "%d/%m/%Y").date().isoformat()
def as_bool(s): return {"yes": True, "no": False}[s.lower()]

def parse(s):
    errors = []
    for fn in (as_json, as_float, as_date, as_bool):
        try:
            return fn.__name__, fn(s)
        except (ValueError, KeyError) as e:
            errors.append(f"{fn.__name__}={type(e).__name__}")
    return None, errors

for s in ("[1, 2]", "3,5", "11/03/2024", "YES", "maybe", "32/01/2024"):
    print(f"{s:<12}", *parse(s))

# %% collecting errors instead of stopping
inputs = ["10", "0", "abc", None, "5", "-3", [1]]
ok, errors = {}, []
for pos, raw in enumerate(inputs):
    try:
        n = int(raw)
        if n < 0:
            raise ValueError(f"negative: {n}")
        ok[pos] = 100 // n
    except (ValueError, TypeError) as e:
        errors.append((pos, type(e).__name__, str(e)))
    except ZeroDivisionError as e:
        errors.append((pos, "zero", str(e)))
    finally:
        if pos == len(inputs) - 1:
            print("done with", pos + 1, "inputs")
print(ok)
for err in errors:
    print(err)
if len(errors) > 3:
    raise RuntimeError(f"{len(errors)} of {len(inputs)} inputs failed") from None

# %% validate model answers and ask again
def validate(answer: str) -> str:
    if not answer.startswith("echo: "):
        raise ValueError("bad prefix")
    body = answer.removeprefix("echo: ")
    if "FINAL" not in body:
        raise ValueError(f"no FINAL in {body!r}")
    return body.split("FINAL", 1)[1].strip(" :")

def ask(question, max_tries=3):
    prompt = question
    for t in range(max_tries):
        try:
            return validate(llm_query(prompt))
        except ValueError as e:
            print(f"  try {t + 1}: {e}")
            prompt = f"FINAL: {t} " + prompt if t else prompt.upper()
    return None

print(ask("Say something"))
print(ask("FINAL: 7"))
print(ask("no", max_tries=1))

# %% stubborn model raises after the retries
def ask_int(prompt: str, tries: int = 3) -> int:
    history = []
    for n in range(tries):
        answer = llm_query(f"[{n}] {prompt}")
        history.append(answer)
        digits = "".join(ch for ch in answer.split("]")[-1] if ch.isdigit())
        if digits:
            return int(digits)
    raise TimeoutError(f"no integer after {tries} tries, last={history[-1]!r}")

print(ask_int("How many steps: 112?"))
print(ask_int("Year 1871 or 2019"))
try:
    ask_int("How many lamps?")
except TimeoutError as e:
    print(type(e).__name__, e)

# %% retry budget shared by closures
def make_budget(total):
    left = total

    def spend(cost=1):
        nonlocal left
        if cost > left:
            raise PermissionError(f"budget exceeded: need {cost}, have {left}")
        left -= cost
        return left

    return spend

spend = make_budget(5)
log = []
for job, cost in [("a", 2), ("b", 2), ("c", 3), ("d", 1), ("e", 1)]:
    try:
        log.append(f"{job}:{spend(cost)}")
    except PermissionError as e:
        log.append(f"{job}!")
        print(e)
" ".join(log)

# %% retry with a predicate and default arguments
def retry_until(fn, predicate=bool, tries=4, on_fail=lambda i, v: None):
    value = None
    for i in range(tries):
        value = fn(i)
        if predicate(value):
            return i, value
        on_fail(i, value)
    raise LookupError(f"predicate never held, last value {value!r}")

misses = []
print(retry_until(lambda i: i * 3, lambda v: v > 5, on_fail=lambda *a: misses.append(a)))
print(misses)
print(retry_until(lambda i: ["", "", "x"][i]))
try:
    retry_until(lambda i: i, predicate=lambda v: v == 99)
except LookupError as e:
    print(type(e).__name__, e)
try:
    retry_until(lambda i: ["", ""][i])
except IndexError as e:
    print(type(e).__name__, e)

# %% error chain with cause and context
def fetch(key):
    try:
        return {"a": "1", "b": "two"}[key]
    except KeyError:
        raise LookupError(f"no such key {key}")

def fetch_int(key):
    try:
        return int(fetch(key))
    except ValueError as e:
        raise RuntimeError("conversion failed") from e

def explain(e):
    chain = []
    while e is not None:
        chain.append(f"{type(e).__name__}({e})")
        e = e.__cause__ or e.__context__
    return " <- ".join(chain)

for key in "abc":
    try:
        print(key, fetch_int(key))
    except Exception as e:
        print(key, explain(e))

# %% retry queue with requeueing
from collections import deque

jobs = deque([("load", 0), ("clean", 2), ("send", 5), ("ping", 1)])
tries = {}
dead = []
order = []
while jobs:
    name, needs = jobs.popleft()
    tries[name] = tries.get(name, 0) + 1
    if tries[name] > needs:
        order.append(name)
    elif tries[name] >= 3:
        dead.append(name)
    else:
        jobs.append((name, needs))
print("finished:", order)
print("dead letter:", dead)
tries

# %% context manager that swallows and records
from contextlib import contextmanager, suppress

report = []

@contextmanager
def attempt(label, *allowed):
    try:
        yield label.upper()
    except allowed as e:
        report.append(f"{label}: swallowed {type(e).__name__}: {e}")
    else:
        report.append(f"{label}: fine")

with attempt("div", ZeroDivisionError) as up:
    print(up, 1 / 0)
with attempt("ok"):
    print("nothing wrong")
with suppress(KeyError, IndexError):
    [][0]
print(*report, sep="\n")
try:
    with attempt("lookup", IndexError):
        {}["k"]
except KeyError as e:
    print(type(e).__name__, e)
len(report)

# %% async retries with gather
import asyncio

calls = {}

async def unstable(name, fail_times):
    calls[name] = calls.get(name, 0) + 1
    await asyncio.sleep(0)
    if calls[name] <= fail_times:
        raise ConnectionResetError(f"{name} reset #{calls[name]}")
    return f"{name} done"

async def with_retry(name, fail_times, tries=3):
    for i in range(tries):
        try:
            return await unstable(name, fail_times)
        except ConnectionResetError as e:
            err = str(e)
    return f"gave up: {err}"

async def main():
    return await asyncio.gather(with_retry("x", 0), with_retry("y", 2), with_retry("z", 9))

print(asyncio.run(main()))
calls

# %% partial results, then give the failures another round
def convert(item, strict):
    if strict:
        return int(item)
    cleaned = "".join(c for c in item if c in "-0123456789")
    return int(cleaned)

pending = ["7", "1,024", "n/a", " 12 ", "3.9"]
done = {}
for round_no, strict in enumerate((True, False), 1):
    failed = []
    for item in pending:
        try:
            done[item] = convert(item, strict)
        except ValueError as e:
            failed.append(item)
            print(f"round {round_no}: {e}")
    pending = failed
assert not pending, f"left over: {pending}"
