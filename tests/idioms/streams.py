# %% stdout in the place of which a buffer is
import sys, io
old = sys.stdout
sys.stdout = buffer = io.StringIO()
try:
    print("hello", 1, sep=", ")
    sys.stdout.write("written\n")
    print("other", file=old)
    print("error", file=sys.stderr)
finally:
    sys.stdout = old
print(repr(buffer.getvalue()), sys.stdout is old)
# %% stderr in the place of which a buffer is
import sys, io, traceback
before, sys.stderr = sys.stderr, io.StringIO()
print("to buffer", file=sys.stderr)
sys.stderr.write("more")
text = sys.stderr.getvalue()
sys.stderr = before
text
# %% a class that writes to two streams
import sys, io
class Tee:
    def __init__(self, *streams):
        self.streams = streams
    def write(self, text):
        for stream in self.streams:
            stream.write(text)
    def flush(self):
        for stream in self.streams:
            stream.flush()
kept, before = io.StringIO(), sys.stdout
sys.stdout = Tee(before, kept)
print("both", [1, 2], end="!\n")
print(*"abc", sep="-")
print(flush=True)
sys.stdout = before
kept.getvalue()
# %% print to an object
class Lines:
    def __init__(self):
        self.texts = []
    def write(self, text):
        self.texts.append(text)
out = Lines()
print("a", 2, None, file=out)
print(file=out)
print("x", "y", sep="", end="", file=out)
out.texts
# %% what cannot be printed to
def tried(file):
    try:
        print("a", file=file)
    except AttributeError as e:
        return str(e)
tried(5), tried("text"), tried(object().__class__())
# %% methods and attributes of streams
import sys
out = sys.stdout
print("a", file=out)
write = sys.stdout.write
n = write("length\n")
sys.stdout.writelines(["x\n", "y\n"])
sys.stdout.flush()
n, out.isatty(), out.writable(), out.closed, hasattr(out, "write"), hasattr(out, "nope")
# %% a stream takes only text
import sys
try:
    sys.stdout.write(5)
except TypeError as e:
    print("text only")
# %% json and csv to a stream
import json, csv, sys
json.dump({"a": [1, None]}, sys.stdout)
print()
writer = csv.writer(sys.stdout, lineterminator="\n")
writer.writerow(["a", 1])
writer = csv.DictWriter(sys.stdout, fieldnames=["x", "y"], lineterminator="\n")
writer.writeheader()
writer.writerow({"x": 1, "y": "b,c"})
# %% nothing is printed where there is no stream
import sys
before, sys.stdout = sys.stdout, None
print("lost")
sys.stdout = before
print("kept")
# %% a stream in functions, arguments and containers
import sys, io
def report(rows, out=sys.stdout):
    for row in rows:
        print(*row, file=out)
report([(1, 2)])
buffer = io.StringIO()
report([(3, 4)], buffer)
streams = {"out": sys.stdout, "buffer": buffer}
for name, stream in streams.items():
    print(name, file=stream)
class Printer:
    stream = sys.stdout
    def say(self, text):
        self.stream.write(text + "\n")
Printer().say("said")
buffer.getvalue()
# %% redirected within redirected
import io, sys
from contextlib import redirect_stdout
a, b = io.StringIO(), io.StringIO()
with redirect_stdout(a):
    print(1)
    with redirect_stdout(b):
        print(2)
        sys.stdout.write("3")
    print(4, sys.stdout is a)
a.getvalue(), b.getvalue()
# %% items that have no order are named
def tried(f):
    try:
        return f()
    except TypeError as e:
        return str(e)
from collections import namedtuple
P = namedtuple("P", "a b")
(
    tried(lambda: (1, "a") < (1, 2)),
    tried(lambda: [1, [2, None]] > [1, [2, 3]]),
    tried(lambda: max([(1, None), (1, "x")])),
    tried(lambda: P(1, {}) <= P(1, {"a": 1})),
    tried(lambda: (1,) < [1]),
    tried(lambda: (None,) < (1,)),
)
# %% json of named tuples
import json
from collections import namedtuple
from typing import NamedTuple
P = namedtuple("P", "x y")
class Q(NamedTuple):
    a: int
    b: list
json.dumps([P(1, 2), {"q": Q(3, [P(4, None)])}]), json.dumps(P(1, "a"), indent=1), json.dumps(P((), []))
# %% exceptions of modules under their other names
import json, asyncio
try:
    json.loads("{")
except json.decoder.JSONDecodeError as e:
    print(e.pos)
async def slow():
    raise TimeoutError("late")
try:
    asyncio.run(slow())
except asyncio.TimeoutError as e:
    print(e)
asyncio.TimeoutError is TimeoutError
