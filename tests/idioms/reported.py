# %% hashes of numbers
print(hash(2**61), hash(2**61 - 1), hash(-1), hash(10**20), hash(-(10**20)), hash(2.0**70) == hash(2**70), hash(float("inf")))
class Box:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == other.n
    def __hash__(self): return hash(str(self.n))
print(len({Box(1), Box(1), Box(2)}), {2**61: "big"}[float(2**61)], {True: 1}[1.0])
# %% a comprehension in the body of a class sees none of its names
factor = 10
rows = "abc"
class Table:
    factor = 2
    rows = (1, 2)
    scaled = [row * factor for row in rows]
    pairs = {row: factor for row in rows if row < factor}
    sums = list(row + factor for row in rows)
    nested = [[n + factor for n in range(row)] for row in rows]
    get = lambda self: factor
print(Table.scaled, Table.pairs, Table.sums, Table.nested, Table().get(), Table.factor)
# %% default= of json is not asked for text and numbers with a class
import json
from enum import Enum, IntEnum
class Level(str, Enum):
    HIGH = "high"
class Size(IntEnum):
    S = 1
class Plain(Enum):
    X = "x"
print(json.dumps([Level.HIGH, Size.S, {"k": Level.HIGH}], default=str), json.dumps(Plain.X, default=lambda o: o.value))
class Encoder(json.JSONEncoder):
    def default(self, o):
        return {"plain": o.value} if isinstance(o, Plain) else super().default(o)
print(json.dumps({"a": Level.HIGH, "b": Plain.X, "c": Size.S}, cls=Encoder))
# %% attributes that are items
class Config(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__
c = Config(a=1)
c.b = 2
print(c.a, c.b, c.missing, c, c.get("a"), dict.get(c, "b"))
del c.a
print(c, len(c))
# %% annotations that are read
from dataclasses import dataclass, field, fields
from typing import Optional, get_args, get_origin, get_type_hints
class Node:
    size: int
    name: str = "n"
    rows: list[int]
    both: dict[str, float]
    later: "Node"
    maybe: int | None
print(Node.__annotations__)
@dataclass
class Row:
    key: str
    tags: list[str] = field(default_factory=list)
    more: "int" = 0
print([(f.name, f.type) for f in fields(Row)], fields(Row)[0].type is str)
print(get_args(dict[str, int]), get_origin(list[int]), get_args(list[str]), get_origin(int))
class Base:
    a: int
class Derived(Base):
    b: str
print(get_type_hints(Derived), get_type_hints(Base), Derived.__annotations__)
# %% logging knows the line and the function
import logging, sys
logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(funcName)s:%(lineno)d %(message)s", level=logging.DEBUG, force=True)
def work():
    logging.info("in it")
    for i in range(2):
        logging.getLogger("x").warning("row %d", i)
logging.info("outside")
work()
class Only(logging.Filter):
    def filter(self, record):
        return record.lineno < 100 and "secret" not in record.getMessage()
class Lines(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []
    def emit(self, record):
        self.lines.append((record.funcName, record.levelname, self.format(record)))
log = logging.getLogger("own")
log.propagate = False
lines = Lines()
lines.addFilter(Only())
log.addHandler(lines)
log.error("one")
log.error("secret")
logging.LoggerAdapter(log, {"id": 3}).info("two")
print(lines.lines)
# %% rows by their class
from collections import namedtuple
Point = namedtuple("Point", "x y")
make = Point._make
print(list(map(Point._make, [(1, 2), [3, 4]])), make("ab"))
# %% names and classes of classes
class A: pass
A.__name__ = "Z"
print(A.__name__, type(A()).__name__)
print(type, type(type), type(type).__name__, A.__class__, type(int) is type, type.__name__)
try:
    object().a = 1
except AttributeError as e:
    print(e)
from typing import Literal
print(Literal["a", 1])
