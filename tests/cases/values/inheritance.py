# RUN: exec %
#
# Classes that inherit, and what else they say about their attributes.
class Animal:
    kind = 'animal'
    def __init__(self, name):
        self.name = name
    def speak(self):
        return f'{self.name} makes a sound'
    @property
    def upper(self):
        return self.name.upper()
    @upper.setter
    def upper(self, v):
        self.name = v.lower()
    @upper.deleter
    def upper(self):
        self.name = ''
    @staticmethod
    def add(a, b):
        return a + b
    @classmethod
    def make(cls, *a):
        return cls(*a)
    def __repr__(self):
        return f'{type(self).__name__}({self.name!r})'
class Dog(Animal):
    def __init__(self, name, tricks=()):
        super().__init__(name)
        self.tricks = list(tricks)
    def speak(self):
        return super().speak() + ': woof'
class Puppy(Dog):
    kind = 'puppy'
    def speak(self):
        return super().speak() + '!'
d = Puppy.make('Rex')
print(d, d.speak(), d.kind, d.upper, Puppy.add(1, 2), d.add(3, 4))
d.upper = 'FIDO'
print(d.name, d.upper)
delattr(d, 'upper')
print(repr(d.name))
print([c.__name__ for c in Puppy.__mro__], Puppy.__bases__)
print(isinstance(d, Animal), isinstance(d, Dog), issubclass(Puppy, Animal), issubclass(Animal, Puppy), issubclass(bool, int), issubclass(Puppy, (int, Dog)))
try:
    Animal('x').nope
except AttributeError as e:
    print(e)
class A:
    def f(self): return ['A']
class B(A):
    def f(self): return ['B'] + super().f()
class C(A):
    def f(self): return ['C'] + super().f()
class D(B, C):
    def f(self): return ['D'] + super().f()
print(D().f(), [c.__name__ for c in D.__mro__])
try:
    class X(A, D): pass
except TypeError as e:
    print('TypeError')
class Lazy:
    def __init__(self): self.count = 0
    def __getattr__(self, name):
        if name.startswith('x_'):
            return name[2:]
        raise AttributeError(f'no {name}')
    def __setattr__(self, name, value):
        print('set', name, value)
        super().__setattr__(name, value)
    def __delattr__(self, name):
        print('del', name)
        object.__delattr__(self, name) if False else super().__delattr__(name)
l = Lazy()
l.a = 5
print(l.a, l.x_foo, getattr(l, 'zz', 'default'), hasattr(l, 'x_q'), hasattr(l, 'q'))
delattr(l, 'a')
try:
    l.a
except AttributeError as e: print(e)
class Slots:
    __slots__ = ('a', 'b')
    def __init__(self): self.a = 1
s = Slots(); s.b = 2
try:
    s.c = 3
except AttributeError as e: print('slots', str(e)[:40])
class Plugin:
    registry = []
    def __init_subclass__(cls, tag=None, **kw):
        super().__init_subclass__(**kw)
        cls.tag = tag
        Plugin.registry.append(cls.__name__)
class P1(Plugin, tag='one'): pass
class P2(P1): pass
print(Plugin.registry, P1.tag, P2.tag)
class Desc:
    def __set_name__(self, owner, name): self.name = '_' + name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        return getattr(obj, self.name, 'unset')
    def __set__(self, obj, value):
        if value < 0: raise ValueError('negative')
        setattr(obj, self.name, value)
class Acc:
    bal = Desc()
a = Acc()
print(a.bal); a.bal = 10; print(a.bal)
try: a.bal = -1
except ValueError as e: print(e)
class Single:
    _inst = None
    def __new__(cls, *args, **kw):
        if cls._inst is None:
            cls._inst = super().__new__(cls)
        return cls._inst
    def __init__(self, v): self.v = v
x = Single(1); y = Single(2)
print(x is y, x.v)
class Eq:
    def __init__(self, a): self.a = a
    def __eq__(self, o): return isinstance(o, Eq) and self.a == o.a
class Sub(Eq): pass
print(Sub(1) == Sub(1), Sub(1) != Sub(2))
try: hash(Sub(1))
except TypeError as e: print(e)
class Stack:
    def __class_getitem__(cls, item): return cls
print(Stack[int] is Stack)
T = type('T', (Animal,), {'kind': 't', 'go': lambda self: 'go ' + self.name})
print(T('q').go(), T('q').kind, T('q'))
def make(base):
    class Made(base):
        def speak(self): return 'made ' + super().speak()
    return Made
print(make(Dog)('z').speak(), make(Animal)('z').speak())
class V:
    def __init__(self): self._c = 1
    @property
    def c(self): return self._c
v = V()
try: v.c = 3
except AttributeError as e: print('ro')
print(V.__name__, V.__qualname__, V.__module__, v.__class__ is V)
# abstract members are decided by the class object here
class A:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return NotImplemented if not isinstance(o, A) else self.x == o.x
    def __hash__(self): return hash(self.x)
    def __repr__(self): return f'A({self.x})'
class B(A):
    def __eq__(self, o): return super().__eq__(o)
print(A(1) == A(1), B(1) == B(1), {A(1): 2}[A(1)])
try: hash(B(1))
except TypeError as e: print(e)
class C(A): pass
print(hash(C(1)) == hash(1), C(1) == A(1), C(2))
class Base:
    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        cls.names = getattr(cls, 'names', []) + [cls.__name__]
class X(Base): pass
class Y(X): pass
print(Y.names, X.names)
try:
    class Z(Base, foo=1): pass
except TypeError as e: print('TE', str(e)[-36:])
class N:
    def __new__(cls, v):
        if v < 0: return None
        self = object.__new__(cls) if False else super().__new__(cls)
        self.v = v
        return self
print(N(1).v, N(-1))
class R:
    @property
    def a(self): return self.b
    @property
    def b(self): raise AttributeError('inner')
    def __getattr__(self, name): return 'fallback ' + name
r = R(); print(r.a, r.b, r.c)
class D:
    def __get__(self, o, t): return 'got' if o is not None else 'class'
class UseD: d = D()
u = UseD(); print(u.d, UseD.d); u.d = 5; print(u.d)
class RO:
    def __get__(self, o, t): return 1
    def __set__(self, o, v): raise AttributeError('read only')
class UseRO: ro = RO()
u = UseRO()
try: u.ro = 3
except AttributeError as e: print(e)
class S:
    def __setattr__(self, k, v):
        if k.startswith('_'): object.__setattr__(self, k, v)
        else: raise AttributeError('no ' + k)
s = S(); s._a = 1; print(s._a)
try: s.a = 2
except AttributeError as e: print(e)
def gen_class(n):
    class K:
        idx = n
        def me(self): return type(self).idx, n
    return K
ks = [gen_class(i) for i in range(3)]; print([k().me() for k in ks])
class P:
    items = []
    def add(self, x): self.items.append(x); return self
class P1(P): pass
P1().add(1); P().add(2); print(P1.items is P.items, P.items)
class Chain:
    def __init__(self): self.l = []
    def a(self): self.l.append('a'); return self
    def b(self): self.l.append('b'); return self
class Chain2(Chain):
    def a(self): super().a(); self.l.append('A2'); return self
print(Chain2().a().b().a().l)
class M1:
    def run(self): return ['M1'] + super().run()
class M2:
    def run(self): return ['M2'] + super().run()
class Core:
    def run(self): return ['Core']
class All(M1, M2, Core): pass
print(All().run())
class K1:
    def __init__(self, a=0, **kw): super().__init__(**kw); self.a = a
class K2:
    def __init__(self, b=0, **kw): super().__init__(**kw); self.b = b
class K3(K1, K2): pass
k = K3(a=1, b=2); print(k.a, k.b)
try: K3(z=1)
except TypeError as e: print('TE3')
print(super(K3, k).__init__ is not None, isinstance(super(K3, k), object))
class Cls:
    @classmethod
    def create(cls): return cls
    @classmethod
    def wrap(cls): return [cls.create()]
class Cls2(Cls):
    @classmethod
    def create(cls): return (cls, super().create())
print([c.__name__ for c in Cls2.create()], Cls2.wrap()[0][0].__name__)
class St:
    @staticmethod
    def f(): return 'St'
class St2(St):
    @staticmethod
    def f(): return 'St2 ' + St.f()
    def g(self): return super().f()
print(St2.f(), St2().f(), St2().g())
def outer():
    x = 5
    class In(A):
        def get(self): return (x, super().__repr__())
    return In(3)
print(outer().get())
class WithLambda(A):
    f = lambda self: self.x * 2
    g = property(lambda self: super(WithLambda, self).__hash__())
print(WithLambda(4).f(), WithLambda(4).g)
class Loop(A):
    def all(self): return [super(Loop, self).__repr__() for _ in range(2)]
    def gen(self):
        def inner(): return super(Loop, self).__repr__()
        return inner()
print(Loop(1).all(), Loop(1).gen())
class Explicit(A):
    def __init__(self, x, y): A.__init__(self, x); self.y = y
e = Explicit(1, 2); print(e.x, e.y, e)
print(type('Dyn', (A,), dict(z=1))(9).z)
class Iter:
    def __init__(self, n): self.n = n
    def __iter__(self): self.i = 0; return self
    def __next__(self):
        if self.i >= self.n: raise StopIteration
        self.i += 1
        return self.i
class Iter2(Iter):
    def __next__(self): return super().__next__() * 10
print(list(Iter2(3)), sum(Iter2(2)))
