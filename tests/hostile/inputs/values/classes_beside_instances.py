# Is made of classes, their instances and what pretends to be either
from dataclasses import dataclass
from collections import namedtuple
class A:
    def __call__(self): return A
@dataclass
class B:
    a: object = A
class C(Exception): pass
A.__name__ = B
A.self = A()
N = namedtuple('N', ['a', 'b'], defaults=[A, B])
[A, A(), B, B(A()), N(), N, C, C(A, A()), A.self, {A: A()}, (B, [B()]), {A, B}, frozenset([A]), type, type(A), object, object(), 1 .__add__, A()()]
