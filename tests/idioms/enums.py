# %% members of an enumeration
from enum import Enum, IntEnum, auto, unique, Flag, IntFlag
class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    CRIMSON = 1
print(Color.RED, repr(Color.RED), Color.RED.name, Color.RED.value)
print(Color(2), Color['BLUE'], list(Color), len(Color))
print(Color.CRIMSON is Color.RED, [c.name for c in Color], list(Color.__members__))
for c in Color:
    print(c.name, c.value, c == Color.RED, c is Color.RED)
try:
    Color(9)
except ValueError as e:
    print(e)
try:
    Color['X']
except KeyError as e:
    print(e)
print(isinstance(Color.RED, Color), type(Color.RED) is Color, Color.RED in Color, repr(Color))
d = {Color.RED: 'r', Color.BLUE: 'b'}
print(d[Color.RED], d.get(Color.GREEN), d)
print(Color.RED != Color.BLUE, hash(Color.RED) == hash(Color.RED), bool(Color.RED))
try:
    Color.RED < Color.BLUE
except TypeError as e:
    print(e)
try:
    Color.RED = 5
except AttributeError as e:
    print(e)
try:
    Color.RED.value = 5
except AttributeError as e:
    print('not set')
print(sorted(Color, key=lambda c: -c.value))
print(f'{Color.RED} {Color.RED!r} {Color.RED:>12}', '%s' % Color.RED, str(Color.BLUE))
print({c.name: c.value for c in Color}, max(Color, key=lambda c: c.value))
# %% enumerations with methods, values of any kind and mixed-in types
from enum import Enum, auto, unique
import enum
class Status(Enum):
    PENDING = auto()
    ACTIVE = auto()
    DONE = 'done'
    def is_final(self):
        return self is Status.DONE
    @property
    def label(self):
        return self.name.title()
    @classmethod
    def default(cls):
        return cls.PENDING
    @staticmethod
    def count():
        return len(Status)
    def __str__(self):
        return f'<{self.label}>'
print(Status.PENDING.value, Status.ACTIVE.value, Status.DONE.is_final(), Status.ACTIVE.is_final())
print(Status.default(), Status.count(), Status.DONE, [str(s) for s in Status], f'{Status.ACTIVE}')
class Planet(Enum):
    MERCURY = (3.303e+23, 2.4397e6)
    EARTH = (5.976e+24, 6.37814e6)
    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius
    @property
    def gravity(self):
        return 6.67430E-11 * self.mass / (self.radius * self.radius)
for p in Planet:
    print(p.name, p.value, round(p.gravity, 2), p.mass)
print(Planet((3.303e+23, 2.4397e6)))
@unique
class Unique(Enum):
    A = 1
    B = 2
try:
    @unique
    class Twice(Enum):
        A = 1
        B = 1
except ValueError as e:
    print(e)
class Named(Enum):
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()
    ONE = auto()
    TWO = auto()
print([n.value for n in Named])
class Level(str, Enum):
    LOW = 'low'
    HIGH = 'high'
print(Level.LOW == 'low', 'high' == Level.HIGH, Level('low'), isinstance(Level.LOW, str), Level.LOW.upper(), repr(Level.LOW), Level.HIGH + '!', len(Level.LOW))
print({'low': 1}[Level.LOW], {Level.HIGH: 2}['high'], Level.LOW in ('low', 'x'), Level.LOW < Level.HIGH, sorted([Level.LOW, Level.HIGH]))
import json
print(json.dumps({'level': Level.LOW, 'all': list(Level)}), json.dumps({Level.HIGH: 1}))
try:
    class More(Level):
        X = 'x'
except TypeError as e:
    print(e)
class Base(Enum):
    def hello(self):
        return f'hello {self.name}'
class Sub(Base):
    A = 1
print(Sub.A.hello(), isinstance(Sub.A, Base))
class Missing(Enum):
    A = 1
    OTHER = 99
    @classmethod
    def _missing_(cls, value):
        return cls.OTHER
print(Missing(5), Missing(1))
match Status.DONE:
    case Status.PENDING:
        print('pending')
    case Status.DONE:
        print('done')
Animal = Enum('Animal', 'CAT DOG')
print(list(Animal), Animal.CAT.value, Animal['DOG'])
Shape = Enum('Shape', {'SQUARE': 4, 'TRIANGLE': 3})
print(list(Shape), Shape(3))
# %% enumerations of numbers, flags and texts
from enum import IntEnum, Flag, IntFlag, auto, StrEnum
class Priority(IntEnum):
    LOW = 1
    MEDIUM = 5
    HIGH = 10
print(Priority.LOW < Priority.HIGH, Priority.HIGH > 5, Priority.LOW == 1, 1 == Priority.LOW, Priority.LOW + 1, 2 * Priority.HIGH, Priority.HIGH - Priority.LOW)
print(sorted([Priority.HIGH, Priority.LOW, Priority.MEDIUM]), max(Priority), sum(Priority), repr(Priority.LOW), str(Priority.LOW), f'{Priority.LOW}', f'{Priority.HIGH:04d}')
print(isinstance(Priority.LOW, int), int(Priority.HIGH), Priority(5), [10, 20, 30][Priority.LOW], list(range(Priority.LOW)), Priority.LOW in (1, 2), {1: 'a'}[Priority.LOW])
import json
print(json.dumps([Priority.LOW, {'p': Priority.HIGH}]))
print(Priority.HIGH // 3, Priority.HIGH % 3, -Priority.LOW, abs(Priority.LOW), Priority.MEDIUM & 4, bool(Priority.LOW), Priority.HIGH ** 2, divmod(Priority.HIGH, 3) if False else 0)
class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W
print(list(Perm), Perm.R | Perm.W, Perm.R | Perm.X, Perm.RW, Perm.R in Perm.RW, Perm.X in Perm.RW, Perm.RW & Perm.R, ~Perm.R, Perm.R ^ Perm.RW, bool(Perm.R & Perm.X))
print(Perm(0), repr(Perm(0)), (Perm.R | Perm.X).value, repr(Perm.R | Perm.X), [p.name for p in Perm.RW], len(Perm.RW))
try:
    Perm(64)
except ValueError as e:
    print(str(e).split('\n')[0])
class Mode(IntFlag):
    READ = 1
    WRITE = 2
print(Mode.READ | Mode.WRITE, repr(Mode.READ | Mode.WRITE), Mode.READ | 4 == 5, Mode.READ == 1, isinstance(Mode.READ, int), Mode(3) & Mode.WRITE, int(Mode(3)))
class Kind(StrEnum):
    FIRST = auto()
    SECOND = 'two'
print(Kind.FIRST, repr(Kind.FIRST), Kind.SECOND == 'two', f'{Kind.FIRST:>8}|', ','.join([str(k) for k in Kind]), Kind('two').name, isinstance(Kind.FIRST, str), Kind.FIRST.upper(), 'ir' in Kind.FIRST)
from dataclasses import dataclass
@dataclass
class Task:
    name: str
    priority: Priority = Priority.LOW
    kind: Kind = Kind.FIRST
t = Task('x')
print(t, t.priority is Priority.LOW, t == Task('x'))
import copy
print(copy.deepcopy(t).priority is Priority.LOW, copy.copy(Priority.LOW) is Priority.LOW)
from collections import Counter, defaultdict
print(Counter([Priority.LOW, Priority.LOW, Priority.HIGH]).most_common(1))
by = defaultdict(list)
for n, p in [('a', Priority.LOW), ('b', Priority.HIGH), ('c', Priority.LOW)]:
    by[p].append(n)
print(dict(by))
# %% enumerations in functions, classes and dictionaries
from enum import Enum
class State(Enum):
    IDLE = 'idle'
    RUN = 'run'
    STOP = 'stop'
    __slots__ = ()
    _TRANSITIONS = None
    def next(self):
        members = list(type(self))
        return members[(members.index(self) + 1) % len(members)]
def transitions(s):
    return {State.IDLE: [State.RUN], State.RUN: [State.STOP, State.IDLE], State.STOP: []}[s]
s = State.IDLE
print(s.next(), s.next().next().next() is s, transitions(State.RUN), State._member_names_)
class Machine:
    State = State
    def __init__(self):
        self.state = State.IDLE
    def go(self, to):
        if to not in transitions(self.state):
            raise ValueError(f'cannot go from {self.state.value} to {to.value}')
        self.state = to
m = Machine()
m.go(State.RUN)
print(m.state, m.state is Machine.State.RUN)
try:
    m.state = State.STOP
    m.go(State.IDLE)
except ValueError as e:
    print(e)
class Op(Enum):
    ADD = '+'
    SUB = '-'
    def apply(self, a, b):
        return {Op.ADD: lambda: a + b, Op.SUB: lambda: a - b}[self]()
print(Op('+').apply(2, 3), Op.SUB.apply(2, 3), [op.value for op in Op], Op.__name__, Op.ADD.__class__.__name__)
print(all(isinstance(o, Op) for o in Op), {o: o.value for o in Op}, tuple(Op), Op.ADD in {Op.ADD}, [*reversed(Op)])
def by_name(name):
    try:
        return Op[name]
    except KeyError:
        return None
print(by_name('ADD'), by_name('NO'), hasattr(Op, 'ADD'), getattr(Op, 'SUB'), Op.__doc__)
class E(Enum):
    "Doc of it."
    A = [1, 2]
    B = {'x': 1}
print(E.A.value, E([1, 2]), E.__doc__)
class WithNew(Enum):
    def __new__(cls, value, label):
        obj = object.__new__(cls)
        obj._value_ = value
        obj.label = label
        return obj
    A = (1, 'first')
    B = (2, 'second')
print(WithNew(1), WithNew.B.label, WithNew.A.value)
# %% formats of classes of one's own
import datetime
class Money:
    def __init__(self, n):
        self.n = n
    def __format__(self, spec):
        return f'<{spec}:{self.n}>'
    def __str__(self):
        return 'money'
class Bad:
    def __format__(self, spec):
        return 5
class Plain:
    def __str__(self):
        return 'plain'
m = Money(3)
print(f'{m} {m:x} {m:>10} {m!s} {1}', '{} {:q} {0!s}'.format(m, m) if False else '{} {:q}'.format(m, m), format(m), format(m, 'zz'))
w = 7
print(f'{m:{w}}', f'{Plain()}', f'{datetime.date(2024, 1, 2):%d.%m.%Y}', f'{datetime.date(2024, 1, 2):>12}', '{:%H}'.format(datetime.datetime(2024, 1, 2, 3)))
for x in (None, [1], {}, (1,), Plain(), Bad(), {1}, b'x', ValueError('e'), range(2), object):
    for spec in ('', '>5'):
        try:
            print(format(x, spec))
        except TypeError as e:
            print(str(e).replace('__main__.', ''))
    try:
        print(f'{x:>5}')
    except TypeError as e:
        print(str(e).replace('__main__.', ''))
print(f'{True:>5}|{True:d}', f'{3.5:>8.2f}', f'{"s":^5}', f'{10**30:,}', f'{2+3j:.1f}')
class R:
    def __reversed__(self):
        return iter([3, 2, 1])
print([*reversed(R())], [*reversed([1, 2])], [*reversed('ab')])
class Single:
    _one = None
    def __new__(cls, *args):
        if cls._one is None:
            cls._one = object.__new__(cls)
        return cls._one
    def __init__(self, x):
        self.x = x
print(Single(1) is Single(2), Single(3).x)
print(object.__new__(Plain))
def formats_of(x):
    return f'{x:abc}|{x}'
class Later:
    def __format__(self, spec):
        return 'L' + spec
print(formats_of(Later()))
# %% flags that are not in the order of their values
from enum import Flag, IntFlag
class P(IntFlag):
    R = 4
    W = 2
    X = 1
class Q(Flag):
    R = 4
    W = 2
    X = 1
class S(Flag):
    A = 1
    B = 2
    C = 4
print(list(P.R | P.X), repr(P.R | P.X), list(P), len(P.R | P.X), repr(~Q.R), repr(S.C | S.A), list(S.C | S.A))
