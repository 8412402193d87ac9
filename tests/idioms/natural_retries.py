# %% retry with exponential backoff
import time

class TransientError(Exception):
    pass

attempts = []

def flaky(n_failures):
    attempts.append(len(attempts) + 1)
    if len(attempts) <= n_failures:
        raise TransientError(f"failure {len(attempts)}")
    return "success"

def retry(fn, *args, max_attempts=4, base_delay=0.001, **kwargs):
    for attempt in range(1, max_attempts + 1):
        try:
            return fn(*args, **kwargs)
        except TransientError as e:
            if attempt == max_attempts:
                raise
            delay = base_delay * 2 ** (attempt - 1)
            print(f"attempt {attempt} failed ({e}); retrying in {delay:.3f}s")
            time.sleep(delay)

print(retry(flaky, 2), len(attempts))
attempts.clear()
try:
    retry(flaky, 10)
except TransientError as e:
    print("gave up:", e)

# %% retry decorator
import functools

def retry(times=3, exceptions=(Exception,), default=None):
    def decorator(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            last = None
            for i in range(times):
                try:
                    return func(*args, **kwargs)
                except exceptions as e:
                    last = e
                    print(f"{func.__name__} attempt {i + 1}/{times}: {type(e).__name__}: {e}")
            if default is not None:
                return default
            raise last
        return wrapper
    return decorator

state = {"calls": 0}

@retry(times=3, exceptions=(ValueError, KeyError))
def parse(payload):
    """Parse a payload."""
    state["calls"] += 1
    if state["calls"] < 3:
        raise ValueError(f"bad payload #{state['calls']}")
    return payload.upper()

@retry(times=2, default="n/a")
def lookup(key):
    return {"a": 1}[key]

print(parse("data"), parse.__name__, parse.__doc__)
print(lookup("a"), lookup("zzz"))

# %% validate model answer and ask again
import json

def ask_json(question, max_tries=3):
    prompt = question
    errors = []
    for i in range(max_tries):
        reply = llm_query(prompt)
        try:
            return json.loads(reply), errors
        except json.JSONDecodeError as e:
            errors.append(f"try {i + 1}: {e.msg} at {e.pos}")
            prompt = f"{question}\nYour last reply was not JSON ({e}). Reply with JSON only."
    return None, errors

data, errors = ask_json("List the services as JSON")
print(data)
for e in errors:
    print(e)

# %% errors collected per record
records = ["12", "x7", "", "3.5", None, "-4", "99999999"]

def process(value):
    if value is None:
        raise TypeError("value is None")
    if not value:
        raise ValueError("empty value")
    n = int(value)
    if n < 0:
        raise ValueError(f"negative: {n}")
    return n * 2

results, errors = [], []
for i, rec in enumerate(records):
    try:
        results.append(process(rec))
    except (ValueError, TypeError) as exc:
        errors.append({"index": i, "value": rec, "error": type(exc).__name__, "message": str(exc)})
    else:
        print(f"record {i} ok")
print(results)
for e in errors:
    print("{index}: {error}: {message}".format(**e))
print(f"success rate {len(results) / len(records):.0%}")

# %% exception hierarchy
class AppError(Exception):
    """Base class."""

class ConfigError(AppError):
    def __init__(self, key, reason):
        super().__init__(f"{key}: {reason}")
        self.key = key
        self.reason = reason

class NetworkError(AppError):
    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status

def load(key):
    if key == "port":
        raise ConfigError(key, "not a number")
    if key == "remote":
        raise NetworkError("timeout", status=504)
    if key == "bug":
        raise RuntimeError("unexpected")
    return key

for key in ["ok", "port", "remote", "bug"]:
    try:
        print("loaded", load(key))
    except ConfigError as e:
        print(f"config problem with {e.key!r}: {e.reason}")
    except AppError as e:
        print(f"app error {e} (status={getattr(e, 'status', None)})")
    except Exception as e:
        print(f"other: {e!r}")

# %% exception chaining
class DataError(Exception):
    pass

def read_price(row):
    try:
        return float(row["price"])
    except KeyError as e:
        raise DataError(f"row {row.get('id', '?')} has no price") from e
    except ValueError as e:
        raise DataError(f"row {row['id']} has bad price {row['price']!r}") from e

for row in [{"id": 1, "price": "9.5"}, {"id": 2}, {"id": 3, "price": "abc"}]:
    try:
        print(read_price(row))
    except DataError as e:
        print(f"{e} (caused by {type(e.__cause__).__name__}: {e.__cause__})")

# %% circuit breaker
class CircuitOpen(Exception):
    pass

class CircuitBreaker:
    def __init__(self, limit=3, cooldown=2):
        self.limit = limit
        self.cooldown = cooldown
        self.failures = 0
        self.skipped = 0
        self.state = "closed"

    def call(self, fn, *args):
        if self.state == "open":
            self.skipped += 1
            if self.skipped <= self.cooldown:
                raise CircuitOpen(f"circuit open, skipped {self.skipped}")
            self.state = "half-open"
        try:
            result = fn(*args)
        except Exception:
            self.failures += 1
            if self.failures >= self.limit or self.state == "half-open":
                self.state, self.skipped = "open", 0
            raise
        self.failures = 0
        self.state = "closed"
        return result

def service(x):
    if 2 <= x <= 5:
        raise ConnectionError(f"refused for {x}")
    return x * x

cb = CircuitBreaker()
for i in range(10):
    try:
        print(i, "->", cb.call(service, i), cb.state)
    except CircuitOpen as e:
        print(i, "open:", e)
    except ConnectionError as e:
        print(i, "error:", e, cb.state)

# %% finally and cleanup order
log = []

class Connection:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        log.append(f"open {self.name}")
        return self

    def __exit__(self, exc_type, exc, tb):
        log.append(f"close {self.name} ({exc_type.__name__ if exc_type else 'ok'})")
        return exc_type is TimeoutError

    def run(self, cmd):
        if cmd == "slow":
            raise TimeoutError("too slow")
        if cmd == "bad":
            raise ValueError("bad command")
        return f"{self.name}:{cmd}"

def execute(cmd):
    try:
        with Connection("db") as conn:
            return conn.run(cmd)
    except ValueError as e:
        log.append(f"handled {e}")
        return None
    finally:
        log.append("finally")

print(execute("select"), execute("slow"), execute("bad"))
print("\n".join(log))

# %% fallback chain of parsers
import json
from datetime import datetime

FORMATS = ["%Y-%m-%d", "%d/%m/%Y", "%b %d, %Y", "%Y-%m-%dT%H:%M:%S"]

def parse_date(text):
    for fmt in FORMATS:
        try:
            return datetime.strptime(text, fmt)
        except ValueError:
            continue
    raise ValueError(f"no format matches {text!r}")

for text in ["2024-03-11", "11/03/2024", "Mar 11, 2024", "2024-03-11T08:00:02", "yesterday", "31/02/2024"]:
    try:
        d = parse_date(text)
        print(f"{text:<22} {d.date()} {d:%A}")
    except ValueError as e:
        print(f"{text:<22} ERROR {e}")

# %% context manager to collect errors
from contextlib import contextmanager, suppress

errors = []

@contextmanager
def collecting(label):
    try:
        yield label.upper()
    except (KeyError, ValueError, ZeroDivisionError) as e:
        errors.append(f"{label}: {type(e).__name__}({e})")

data = {"a": "1", "b": "zero", "c": "0"}
for key in "abcd":
    with collecting(key) as name:
        print(name, 10 / int(data[key]))
print("\n".join(errors))
with suppress(FileNotFoundError, KeyError):
    data["missing"]
    print("not reached")
print("done")

# %% rate limited queue of tasks
from collections import deque
from dataclasses import dataclass, field

@dataclass
class Task:
    name: str
    fails: int = 0
    attempts: int = 0
    history: list = field(default_factory=list)

    def run(self):
        self.attempts += 1
        if self.attempts <= self.fails:
            self.history.append("fail")
            raise RuntimeError(f"{self.name} failed on attempt {self.attempts}")
        self.history.append("ok")
        return f"{self.name} done"

queue = deque([Task("a"), Task("b", fails=1), Task("c", fails=5)])
done, dead = [], []
while queue:
    task = queue.popleft()
    try:
        done.append(task.run())
    except RuntimeError as e:
        if task.attempts >= 3:
            dead.append(task)
        else:
            queue.append(task)
print(done)
for t in dead:
    print("dead:", t)

# %% assert based self test
def median(xs):
    assert xs, "median of nothing"
    s = sorted(xs)
    mid = len(s) // 2
    return s[mid] if len(s) % 2 else (s[mid - 1] + s[mid]) / 2

cases = [([1], 1), ([3, 1, 2], 2), ([4, 1, 3, 2], 2.5), ([], None), ([1, 2], 2)]
passed = 0
for args, expected in cases:
    try:
        got = median(args)
        assert got == expected, f"expected {expected}, got {got}"
    except AssertionError as e:
        print(f"FAIL median({args}): {e}")
    else:
        passed += 1
print(f"{passed}/{len(cases)} passed")

# %% traceback formatting
import traceback

def inner(x):
    return 1 / x

def outer(x):
    return inner(x) + 1

for x in (1, 0):
    try:
        print(outer(x))
    except ZeroDivisionError as e:
        last = traceback.format_exc().strip().splitlines()[-1]
        print("caught:", last)
        print(traceback.format_exception_only(type(e), e)[0].strip())

# %% timeouts with a fake clock
class FakeClock:
    def __init__(self):
        self.now = 0.0

    def sleep(self, s):
        self.now += s

    def time(self):
        return self.now

def poll(check, clock, timeout=5.0, interval=0.5, backoff=1.5):
    deadline = clock.time() + timeout
    tries = 0
    while True:
        tries += 1
        if check(clock.time()):
            return tries, round(clock.time(), 3)
        if clock.time() + interval > deadline:
            raise TimeoutError(f"gave up after {tries} tries at t={clock.time():.2f}")
        clock.sleep(interval)
        interval *= backoff

print(poll(lambda t: t > 2, FakeClock()))
try:
    poll(lambda t: False, FakeClock())
except TimeoutError as e:
    print(type(e).__name__, "-", e)

# %% result type instead of exceptions
from dataclasses import dataclass
from typing import Any, Callable, Optional

@dataclass
class Result:
    value: Any = None
    error: Optional[str] = None

    @property
    def ok(self) -> bool:
        return self.error is None

    def map(self, fn: Callable) -> "Result":
        if not self.ok:
            return self
        try:
            return Result(fn(self.value))
        except Exception as e:
            return Result(error=f"{type(e).__name__}: {e}")

    def unwrap_or(self, default):
        return self.value if self.ok else default

for raw in ["16", "-1", "abc"]:
    r = Result(raw).map(int).map(lambda n: n ** 0.5 if n >= 0 else 1 // 0).map(lambda x: round(x, 2))
    print(raw, r.ok, r.unwrap_or("-"), r)

# %% batch with partial failure and retry of the failed ones
def query_all(prompts, is_valid, max_rounds=3):
    answers = [None] * len(prompts)
    pending = list(range(len(prompts)))
    for round_no in range(1, max_rounds + 1):
        replies = llm_query_batched([prompts[i] + "!" * (round_no - 1) for i in pending])
        failed = []
        for i, reply in zip(pending, replies):
            if is_valid(reply):
                answers[i] = reply
            else:
                failed.append(i)
        print(f"round {round_no}: {len(pending) - len(failed)} ok, {len(failed)} failed")
        pending = failed
        if not pending:
            break
    return answers, pending

answers, pending = query_all(["a", "bb", "ccc", "dddd"], lambda r: len(r) >= 9)
print(answers)
print("unanswered:", pending)

# %% nested try with else and re-raise
def load_settings(raw):
    settings = {}
    for line_no, line in enumerate(raw.splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        try:
            key, value = line.split("=", 1)
        except ValueError:
            raise SyntaxError(f"line {line_no}: expected key=value, got {line!r}") from None
        key = key.strip()
        try:
            value = int(value)
        except ValueError:
            value = value.strip()
        else:
            if value < 0:
                raise ValueError(f"line {line_no}: {key} is negative")
        settings[key] = value
    return settings

for raw in ["a=1\n# c\nb = two # x\n", "a=1\noops", "x=-5", ""]:
    try:
        print(load_settings(raw))
    except (SyntaxError, ValueError) as e:
        print(f"{type(e).__name__}: {e}")

# %% exception groups by message
from collections import Counter, defaultdict

def work(i):
    if i % 6 == 0:
        raise ValueError(f"item {i} rejected")
    if i % 4 == 0:
        raise KeyError(f"missing-{i}")
    if i == 7:
        return [][i]
    return i

kinds = Counter()
samples = defaultdict(list)
ok = 0
for i in range(1, 15):
    try:
        work(i)
        ok += 1
    except Exception as e:
        name = e.__class__.__name__
        kinds[name] += 1
        samples[name].append(str(e))
print(f"{ok} ok, {sum(kinds.values())} errors")
for name, n in kinds.most_common():
    print(f"{name}: {n} e.g. {samples[name][0]}")

# %% http style client with status classes
class HTTPError(Exception):
    def __init__(self, status, reason):
        self.status = status
        self.reason = reason
        super().__init__(f"{status} {reason}")

    @property
    def retryable(self):
        return self.status >= 500 or self.status == 429

RESPONSES = {"/ok": [200], "/flaky": [503, 502, 200], "/gone": [410], "/down": [500, 500, 500, 500]}
REASONS = {410: "Gone", 500: "Server Error", 502: "Bad Gateway", 503: "Unavailable"}

def request(path, history):
    status = RESPONSES[path][len(history)]
    history.append(status)
    if status != 200:
        raise HTTPError(status, REASONS[status])
    return f"body of {path}"

def get(path, retries=3):
    history = []
    while True:
        try:
            return request(path, history), history
        except HTTPError as e:
            if not e.retryable or len(history) > retries:
                raise

for path in RESPONSES:
    try:
        body, history = get(path)
        print(path, body, history)
    except HTTPError as e:
        print(path, "failed with", e, "| retryable:", e.retryable)

# %% jittered delays with a seeded generator
def backoff_delays(base=1.0, factor=2.0, cap=30.0, jitter=None):
    delay = base
    while True:
        extra = jitter(delay) if jitter else 0
        yield min(delay + extra, cap)
        delay = min(delay * factor, cap)

def lcg(seed):
    state = seed
    def rand():
        nonlocal state
        state = (1103515245 * state + 12345) % 2 ** 31
        return state / 2 ** 31
    return rand

rand = lcg(42)
delays = backoff_delays(jitter=lambda d: d * 0.1 * rand())
taken = [round(next(delays), 3) for _ in range(7)]
print(taken, f"total {sum(taken):.2f}s")
plain = backoff_delays(base=0.5)
print([next(plain) for _ in range(8)])

# %% cleaning input with specific messages
def parse_amount(text):
    """Parse '1,234.50 USD' into (1234.5, 'USD')."""
    if not isinstance(text, str):
        raise TypeError(f"expected str, got {type(text).__name__}")
    parts = text.split()
    if len(parts) != 2:
        raise ValueError(f"expected '<amount> <currency>', got {text!r}")
    amount, currency = parts
    try:
        number = float(amount.replace(",", ""))
    except ValueError as e:
        raise ValueError(f"bad amount in {text!r}: {e}")
    if len(currency) != 3 or not currency.isupper():
        raise ValueError(f"bad currency {currency!r}")
    return number, currency

for t in ["1,234.50 USD", "12 eur", "abc USD", "7", 42, "0.5 EUR"]:
    try:
        print(parse_amount(t))
    except (TypeError, ValueError) as err:
        print(f"{type(err).__name__}: {err}")

# %% cache with failure memory
class NegativeCache:
    def __init__(self, loader):
        self.loader = loader
        self.hits = self.misses = 0
        self._values, self._errors = {}, {}

    def __getitem__(self, key):
        if key in self._errors:
            self.hits += 1
            raise self._errors[key]
        if key in self._values:
            self.hits += 1
            return self._values[key]
        self.misses += 1
        try:
            value = self._values[key] = self.loader(key)
            return value
        except LookupError as e:
            self._errors[key] = e
            raise

    def get(self, key, default=None):
        try:
            return self[key]
        except LookupError:
            return default

source = {"x": 1, "y": 2}
cache = NegativeCache(lambda k: source[k])
print([cache.get(k, "-") for k in "xyzxz"])
print(f"hits={cache.hits} misses={cache.misses} ratio={cache.hits / (cache.hits + cache.misses):.2f}")
try:
    cache["z"]
except KeyError as e:
    print("KeyError", e)

# %% checkpoint and resume
import json

class Checkpoint:
    def __init__(self):
        self.saved = "{}"

    def load(self):
        return json.loads(self.saved)

    def save(self, state):
        self.saved = json.dumps(state)

def job(items, cp, crash_at=None):
    state = cp.load()
    start = state.get("next", 0)
    total = state.get("total", 0)
    for i in range(start, len(items)):
        if i == crash_at:
            raise RuntimeError(f"crashed at {i}")
        total += items[i]
        cp.save({"next": i + 1, "total": total})
    return total

cp = Checkpoint()
items = list(range(1, 11))
for crash_at in (3, 7, None):
    try:
        print("finished:", job(items, cp, crash_at))
    except RuntimeError as e:
        print(e, cp.saved)

# %% errors in a worker pool
from concurrent.futures import ThreadPoolExecutor, as_completed

def work(n):
    if n % 3 == 0:
        raise ValueError(f"bad item {n}")
    return n * n

with ThreadPoolExecutor(max_workers=4) as pool:
    futures = {pool.submit(work, n): n for n in range(1, 8)}
    results, errors = {}, {}
    for fut in as_completed(futures):
        n = futures[fut]
        try:
            results[n] = fut.result()
        except ValueError as e:
            errors[n] = str(e)
print(sorted(results.items()))
print(sorted(errors.items()))

# %% warnings collected while validating
import logging
import warnings

class ValidationError(ValueError):
    def __init__(self, problems):
        self.problems = list(problems)
        super().__init__(f"{len(self.problems)} problem(s)")

def validate(user):
    problems = []
    if not user.get("name", "").strip():
        problems.append("name is required")
    if "@" not in user.get("email", ""):
        problems.append(f"email {user.get('email')!r} is invalid")
    try:
        age = int(user.get("age", 0))
    except (TypeError, ValueError):
        problems.append("age must be a number")
    else:
        if not 0 <= age <= 130:
            problems.append(f"age {age} out of range")
    if problems:
        raise ValidationError(problems)
    return True

for user in [{"name": "Ann", "email": "a@b.c", "age": "30"}, {"name": " ", "email": "x", "age": "old"}, {"name": "Bo", "email": "b@c.d", "age": 200}]:
    try:
        print("valid", validate(user))
    except ValidationError as e:
        print(f"{e}: {'; '.join(e.problems)}")
print(issubclass(ValidationError, ValueError))
