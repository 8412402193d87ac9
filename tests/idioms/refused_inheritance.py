# %% shapes with an abstract base
from abc import ABC, abstractmethod
import math

class Shape(ABC):
    @abstractmethod
    def area(self): ...

    def describe(self):
        return f"{type(self).__name__} with area {self.area():.2f}"

class Circle(Shape):
    def __init__(self, r):
        self.r = r

    def area(self):
        return math.pi * self.r ** 2

class Square(Shape):
    def __init__(self, a):
        self.a = a

    def area(self):
        return self.a ** 2

for s in (Circle(1), Square(2)):
    print(s.describe())
try:
    Shape()
except TypeError as e:
    print(str(e).split(' with')[0])

# %% animals with super
class Animal:
    def __init__(self, name):
        self.name = name

    def speak(self):
        raise NotImplementedError

    def __str__(self):
        return f"{self.name} says {self.speak()}"

class Dog(Animal):
    def __init__(self, name, breed):
        super().__init__(name)
        self.breed = breed

    def speak(self):
        return "Woof"

class Cat(Animal):
    def speak(self):
        return "Meow"

for a in [Dog("Rex", "lab"), Cat("Tom")]:
    print(a, isinstance(a, Animal))

# %% order status enum
from enum import Enum, auto

class Status(Enum):
    PENDING = auto()
    PAID = auto()
    SHIPPED = auto()

    def next(self):
        members = list(Status)
        return members[(members.index(self) + 1) % len(members)]

s = Status.PENDING
while s is not Status.SHIPPED:
    print(s.name, s.value)
    s = s.next()
print(s, repr(s), Status["PAID"], Status(1))

# %% exception with attributes
class InsufficientFunds(Exception):
    def __init__(self, balance, amount):
        self.balance = balance
        self.amount = amount
        super().__init__(f"need {amount - balance} more")

def withdraw(balance, amount):
    if amount > balance:
        raise InsufficientFunds(balance, amount)
    return balance - amount

try:
    withdraw(10, 25)
except InsufficientFunds as e:
    print(e, e.balance, e.amount)

# %% dict subclass with default
class DotDict(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)

    __setattr__ = dict.__setitem__

d = DotDict(a=1)
d.b = 2
print(d.a, d.b, d)

# %% node visitor
class NodeVisitor:
    def visit(self, node):
        method = "visit_" + type(node).__name__
        return getattr(self, method, self.generic_visit)(node)

    def generic_visit(self, node):
        raise TypeError(f"no visitor for {node!r}")

class Evaluator(NodeVisitor):
    def visit_int(self, node):
        return node

    def visit_tuple(self, node):
        op, a, b = node
        a, b = self.visit(a), self.visit(b)
        return a + b if op == "+" else a * b

print(Evaluator().visit(("+", 1, ("*", 2, 3))))
try:
    Evaluator().visit("x")
except TypeError as e:
    print(e)

# %% thread pool of workers in a thread subclass
import threading

class Worker(threading.Thread):
    def __init__(self, n, out):
        super().__init__()
        self.n, self.out = n, out

    def run(self):
        self.out.append(self.n ** 2)

out = []
workers = [Worker(i, out) for i in range(3)]
for w in workers:
    w.start()
for w in workers:
    w.join()
print(sorted(out))

# %% singleton with __new__
class Config:
    _instance = None

    def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.values = {}
        return cls._instance

a, b = Config(), Config()
a.values["x"] = 1
print(a is b, b.values)
