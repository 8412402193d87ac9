# RUN: exec %
#
# Dataclasses, mixins and properties in one program.
from dataclasses import dataclass, field
@dataclass
class Base:
    a: int
    b: str = 'x'
@dataclass
class Derived(Base):
    c: float = 1.5
    d: list = field(default_factory=list)
print(Derived(1), Derived(1, 'y', 2.0, [3]), Derived(1) == Derived(1), Base(1) == Derived(1))
@dataclass(frozen=True)
class F:
    x: int
@dataclass(frozen=True)
class G(F):
    y: int = 0
    def total(self): return self.x + self.y
g = G(1, 2)
print(g, g.total(), hash(g) == hash(G(1, 2)))
try:
    g.x = 5
except Exception as e:
    print(type(e).__name__, e)
class Shape:
    def area(self): raise NotImplementedError
    def describe(self): return f'{self.__class__.__name__} with area {self.area():.2f}'
class Circle(Shape):
    def __init__(self, r): self.r = r
    def area(self): return 3.14159 * self.r ** 2
class Square(Shape):
    def __init__(self, s): self.s = s
    def area(self): return self.s ** 2
for s in [Circle(1), Square(2)]: print(s.describe())
try: Shape().describe()
except NotImplementedError as e: print('NIE', repr(e))
class LoggingMixin:
    def log(self, m):
        self.logs = getattr(self, 'logs', []) + [f'{type(self).__name__}: {m}']
class JsonMixin:
    def to_json(self):
        import json
        return json.dumps({'name': self.name})
class Thing(LoggingMixin, JsonMixin):
    def __init__(self, name): self.name = name
t = Thing('a'); t.log('x'); t.log('y'); print(t.logs, t.to_json())
class Num:
    def __init__(self, v): self.v = v
    def __add__(self, o): return type(self)(self.v + o.v)
    def __lt__(self, o): return self.v < o.v
    def __len__(self): return self.v
    def __iter__(self): return iter(range(self.v))
    def __contains__(self, x): return x < self.v
    def __getitem__(self, i): return i * self.v
    def __call__(self, x): return x + self.v
    def __enter__(self): print('enter'); return self
    def __exit__(self, *a): print('exit', a[0] is None); return True
    def __bool__(self): return self.v > 0
    def __str__(self): return f'<{self.v}>'
class Num2(Num):
    def __str__(self): return '2' + super().__str__()
n = Num2(3) + Num2(4)
print(n, type(n).__name__, len(n), list(n), 5 in n, n[2], n(1), bool(Num2(0)), sorted([Num2(2), Num2(1)])[0])
with Num2(1) as q: print(q); raise ValueError
class Counter2:
    total = 0
    def __init__(self):
        type(self).total += 1
        Counter2.count = Counter2.total
class Sub(Counter2): pass
Sub(); Sub(); print(Sub.total, Counter2.total, Counter2.count)
class Temp:
    def __init__(self, c=0): self._c = c
    @property
    def f(self):
        "Fahrenheit"
        return self._c * 9 / 5 + 32
    @f.setter
    def f(self, v): self._c = (v - 32) * 5 / 9
    c = property(lambda self: self._c, lambda self, v: setattr(self, '_c', v))
    @staticmethod
    def abs(x): return x if x > 0 else -x
    z = abs(-3)
class Temp2(Temp):
    @property
    def f(self): return super().f + 1
    @classmethod
    def boil(cls, *, plus=0): return cls(100 + plus)
t = Temp2.boil(plus=1); print(t.f, t.c, Temp.z); t.c = 5; print(t._c)
try: t.f = 3
except AttributeError as e: print('AE')
print(Temp.f.fget(Temp(10)), isinstance(Temp.f, property), type(Temp.f).__name__)
m = Temp2.boil; print(m().c)
def deco(fn):
    def inner(self, *a): return ['deco', fn(self, *a)]
    return inner
class Dec:
    @deco
    def go(self, x): return x * 2
    @classmethod
    def cm(cls): return cls.__name__
    @property
    @deco
    def p(self): return 7
class Dec2(Dec): pass
print(Dec().go(4), Dec2().cm(), Dec2.cm(), Dec2().p)
class Node:
    __slots__ = ['v', 'next']
    def __init__(self, v, next=None): self.v, self.next = v, next
class LNode(Node):
    def __init__(self, v): super().__init__(v); self.extra = 1
print(LNode(1).extra)
class A:
    x = 1
    def __init__(self): self.y = 2
a = A(); a.x = 10; del_ = delattr(a, 'x'); print(a.x)
try: delattr(a, 'x')
except AttributeError as e: print(e)
delattr(A, 'x')
try: a.x
except AttributeError as e: print(e)
class Meta1:
    def __getattr__(self, n): return lambda *a: (n, a)
print(Meta1().anything(1, 2), type(Meta1().foo).__name__)
class P:
    def __init__(self, **kw): self.__dict__ if False else None; [setattr(self, k, v) for k, v in kw.items()]
class Q(P):
    def __init__(self, a, **kw): super().__init__(**kw); self.a = a
q = Q(1, b=2, c=3); print(q.a, q.b, q.c)
class Outer:
    def method(self):
        class Inner(Outer):
            def method(self): return 'inner'
        return Inner().method()
print(Outer().method())
class Abs:
    def run(self): return self._run()
class Impl(Abs):
    def _run(self): return 'impl'
print(Impl().run())
class Cached:
    n = 0
    @property
    def v(self):
        self.n += 1
        return self.n
c = Cached(); print(c.v, c.v, Cached.n)
class Sup(Cached):
    @property
    def v(self): return super().v * 10
    def all(self): return [super(Sup, self).v for _ in range(2)] 
print(Sup().v, Sup().all())
class E1(A, P): pass
print(E1.__mro__[1].__name__, E1().y)
match_ = LNode(3)
class Pt:
    __match_args__ = ('x', 'y')
    def __init__(self, x, y): self.x, self.y = x, y
class Pt3(Pt): pass
match Pt3(1, 2):
    case Pt(a, b): print('matched', a, b)
print(getattr(c, 'nope', None), hasattr(c, 'v'), Cached.__dict__.get('n') if False else 0)
import copy
z = copy.deepcopy(Pt3(1, [2])); print(type(z).__name__, z.y)
