# %% bank account with properties and history
from datetime import date

class InsufficientFundsError(Exception):
    pass

class BankAccount:
    """A simple bank account."""
    interest_rate = 0.02
    _next_id = 1000

    def __init__(self, owner, balance=0.0):
        self.owner = owner
        self._balance = balance
        self.history = []
        self.id = BankAccount._next_id
        BankAccount._next_id += 1

    @property
    def balance(self):
        return self._balance

    @balance.setter
    def balance(self, value):
        if value < 0:
            raise ValueError("Balance cannot be negative")
        self._balance = value

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("Deposit amount must be positive")
        self._balance += amount
        self.history.append(("deposit", amount))
        return self

    def withdraw(self, amount):
        if amount > self._balance:
            raise InsufficientFundsError(f"Cannot withdraw ${amount:.2f}: balance is ${self._balance:.2f}")
        self._balance -= amount
        self.history.append(("withdraw", amount))
        return self

    def __str__(self):
        return f"Account #{self.id} [{self.owner}]: ${self.balance:,.2f}"

    def __repr__(self):
        return f"{self.__class__.__name__}({self.owner!r}, {self._balance})"

acc = BankAccount("Alice", 1500)
acc.deposit(500).withdraw(300)
print(acc)
print(repr(acc), acc.history)
for action in (lambda: acc.withdraw(10_000), lambda: acc.deposit(-5)):
    try:
        action()
    except InsufficientFundsError as e:
        print("Insufficient funds:", e)
    except ValueError as e:
        print("Value error:", e)
try:
    acc.balance = -1
except ValueError as e:
    print(e)
acc.balance = 42
print(acc.balance, BankAccount("Bob").id, acc.interest_rate)

# %% inventory with dataclass and totals
from dataclasses import dataclass, field
from typing import Dict, Optional

@dataclass
class Product:
    sku: str
    name: str
    price: float
    quantity: int = 0
    tags: list = field(default_factory=list)

    @property
    def total_value(self) -> float:
        return self.price * self.quantity

    def __post_init__(self):
        if self.price < 0:
            raise ValueError(f"negative price for {self.name}")

class Inventory:
    def __init__(self):
        self.products: Dict[str, Product] = {}

    def add(self, product: Product) -> None:
        if product.sku in self.products:
            self.products[product.sku].quantity += product.quantity
        else:
            self.products[product.sku] = product

    def remove(self, sku: str, qty: int) -> None:
        p = self.products.get(sku)
        if p is None:
            raise KeyError(f"No product {sku}")
        if p.quantity < qty:
            raise ValueError(f"Only {p.quantity} of {p.name} left")
        p.quantity -= qty
        if p.quantity == 0:
            del self.products[sku]

    def find(self, name: str) -> Optional[Product]:
        return next((p for p in self.products.values() if p.name.lower() == name.lower()), None)

    def report(self):
        print(f"{'SKU':<6}{'Name':<12}{'Price':>10}{'Qty':>6}{'Total':>12}")
        print("-" * 46)
        for p in sorted(self.products.values(), key=lambda p: p.total_value, reverse=True):
            print(f"{p.sku:<6}{p.name:<12}{p.price:>10.2f}{p.quantity:>6}{p.total_value:>12,.2f}")
        print("=" * 46)
        print(f"{'TOTAL':<34}{sum(p.total_value for p in self.products.values()):>12,.2f}")

inv = Inventory()
inv.add(Product("A1", "Widget", 2.5, 100))
inv.add(Product("B2", "Gadget", 19.99, 12, ["new"]))
inv.add(Product("A1", "Widget", 2.5, 50))
inv.report()
inv.remove("B2", 12)
print(inv.find("widget"), inv.find("gadget"))
for args in [("A1", 1000), ("Z9", 1)]:
    try:
        inv.remove(*args)
    except (KeyError, ValueError) as e:
        print(f"{type(e).__name__}: {e}")
try:
    Product("X", "bad", -1)
except ValueError as e:
    print(e)

# %% lru cache with OrderedDict
from collections import OrderedDict

class LRUCache:
    def __init__(self, capacity: int):
        self.capacity = capacity
        self.cache = OrderedDict()
        self.hits = self.misses = 0

    def get(self, key):
        if key not in self.cache:
            self.misses += 1
            return -1
        self.hits += 1
        self.cache.move_to_end(key)
        return self.cache[key]

    def put(self, key, value):
        if key in self.cache:
            self.cache.move_to_end(key)
        self.cache[key] = value
        if len(self.cache) > self.capacity:
            evicted, _ = self.cache.popitem(last=False)
            print(f"evicting {evicted!r}")

    def __len__(self):
        return len(self.cache)

    def __contains__(self, key):
        return key in self.cache

    def __repr__(self):
        return f"LRUCache({dict(self.cache)})"

cache = LRUCache(2)
cache.put(1, 'a')
cache.put(2, 'b')
print(cache.get(1))
cache.put(3, 'c')
print(cache.get(2), cache.get(3), len(cache), 1 in cache, 2 in cache)
print(cache, f"hit rate {cache.hits / (cache.hits + cache.misses):.0%}")

# %% lru cache with a doubly linked list
class Node:
    __slots__ = ("key", "value", "prev", "next")

    def __init__(self, key=None, value=None):
        self.key = key
        self.value = value
        self.prev = None
        self.next = None

class LRUCache:
    def __init__(self, capacity):
        self.capacity = capacity
        self.map = {}
        self.head, self.tail = Node(), Node()
        self.head.next = self.tail
        self.tail.prev = self.head

    def _remove(self, node):
        node.prev.next, node.next.prev = node.next, node.prev

    def _add(self, node):
        prev = self.tail.prev
        prev.next = node
        node.prev = prev
        node.next = self.tail
        self.tail.prev = node

    def get(self, key):
        if key not in self.map:
            return None
        node = self.map[key]
        self._remove(node)
        self._add(node)
        return node.value

    def put(self, key, value):
        if key in self.map:
            self._remove(self.map[key])
        node = self.map[key] = Node(key, value)
        self._add(node)
        if len(self.map) > self.capacity:
            oldest = self.head.next
            self._remove(oldest)
            del self.map[oldest.key]

    def __iter__(self):
        node = self.head.next
        while node is not self.tail:
            yield node.key, node.value
            node = node.next

c = LRUCache(3)
for i, ch in enumerate("abcd"):
    c.put(ch, i)
c.get("b")
c.put("e", 9)
print(list(c), c.get("a"), sorted(c.map))

# %% singly linked list
class Node:
    def __init__(self, data, next=None):
        self.data = data
        self.next = next

class LinkedList:
    def __init__(self, items=()):
        self.head = None
        self._size = 0
        for item in items:
            self.append(item)

    def append(self, data):
        new = Node(data)
        self._size += 1
        if self.head is None:
            self.head = new
            return
        cur = self.head
        while cur.next:
            cur = cur.next
        cur.next = new

    def prepend(self, data):
        self.head = Node(data, self.head)
        self._size += 1

    def delete(self, data):
        prev, cur = None, self.head
        while cur:
            if cur.data == data:
                if prev:
                    prev.next = cur.next
                else:
                    self.head = cur.next
                self._size -= 1
                return True
            prev, cur = cur, cur.next
        return False

    def reverse(self):
        prev = None
        cur = self.head
        while cur:
            cur.next, prev, cur = prev, cur, cur.next
        self.head = prev

    def __iter__(self):
        cur = self.head
        while cur:
            yield cur.data
            cur = cur.next

    def __len__(self):
        return self._size

    def __getitem__(self, index):
        if not 0 <= index < len(self):
            raise IndexError("list index out of range")
        for i, x in enumerate(self):
            if i == index:
                return x

    def __str__(self):
        return " -> ".join(map(str, self)) + " -> None"

    def __bool__(self):
        return self._size > 0

ll = LinkedList([1, 2, 3])
ll.prepend(0)
ll.append(4)
print(ll, len(ll))
ll.reverse()
print(ll, ll[0], ll[len(ll) - 1])
print(ll.delete(2), ll.delete(99), list(ll), 3 in ll, sum(ll), max(ll))
if not LinkedList():
    print("empty is falsy")
try:
    ll[10]
except IndexError as e:
    print("IndexError:", e)
a, *rest = ll
print(a, rest, [*ll], sorted(ll), tuple(ll))

# %% stack and queue classes
class Stack:
    def __init__(self):
        self._items = []

    def push(self, item):
        self._items.append(item)

    def pop(self):
        if self.is_empty():
            raise IndexError("pop from empty stack")
        return self._items.pop()

    def peek(self):
        return self._items[-1] if self._items else None

    def is_empty(self):
        return not self._items

    def __len__(self):
        return len(self._items)

    def __repr__(self):
        return f"Stack({self._items})"

class Queue:
    """A queue made of two stacks."""
    def __init__(self):
        self.inbox, self.outbox = Stack(), Stack()

    def enqueue(self, x):
        self.inbox.push(x)

    def dequeue(self):
        if self.outbox.is_empty():
            while not self.inbox.is_empty():
                self.outbox.push(self.inbox.pop())
        return self.outbox.pop()

    def __len__(self):
        return len(self.inbox) + len(self.outbox)

def balanced(text):
    pairs = {')': '(', ']': '[', '}': '{'}
    stack = Stack()
    for i, ch in enumerate(text):
        if ch in pairs.values():
            stack.push((ch, i))
        elif ch in pairs:
            if not stack or stack.pop()[0] != pairs[ch]:
                return f"unexpected {ch!r} at {i}"
    return "ok" if not stack else f"unclosed {stack.peek()[0]!r} at {stack.peek()[1]}"

for text in ["{[()]}", "(]", "((a)", "", "x)"]:
    print(f"{text!r:10} {balanced(text)}")
q = Queue()
for i in range(3):
    q.enqueue(i)
print(q.dequeue(), len(q), q.dequeue(), q.dequeue())
try:
    q.dequeue()
except IndexError as e:
    print(e)
print(Queue.__doc__)

# %% binary search tree
class TreeNode:
    def __init__(self, value):
        self.value = value
        self.left = None
        self.right = None

class BST:
    def __init__(self, values=None):
        self.root = None
        for v in values or []:
            self.insert(v)

    def insert(self, value):
        self.root = self._insert(self.root, value)

    def _insert(self, node, value):
        if node is None:
            return TreeNode(value)
        if value < node.value:
            node.left = self._insert(node.left, value)
        elif value > node.value:
            node.right = self._insert(node.right, value)
        return node

    def __contains__(self, value):
        node = self.root
        while node and node.value != value:
            node = node.left if value < node.value else node.right
        return node is not None

    def inorder(self, node="root"):
        if node == "root":
            node = self.root
        if node:
            yield from self.inorder(node.left)
            yield node.value
            yield from self.inorder(node.right)

    def height(self, node=...):
        if node is ...:
            node = self.root
        return 0 if node is None else 1 + max(self.height(node.left), self.height(node.right))

    def delete(self, value):
        self.root = self._delete(self.root, value)

    def _delete(self, node, value):
        if node is None:
            return None
        if value < node.value:
            node.left = self._delete(node.left, value)
        elif value > node.value:
            node.right = self._delete(node.right, value)
        else:
            if node.left is None:
                return node.right
            if node.right is None:
                return node.left
            succ = node.right
            while succ.left:
                succ = succ.left
            node.value = succ.value
            node.right = self._delete(node.right, succ.value)
        return node

    def show(self, node=None, level=0, prefix="Root: "):
        node = node or self.root
        print(" " * (level * 4) + prefix + str(node.value))
        if node.left:
            self.show(node.left, level + 1, "L--- ")
        if node.right:
            self.show(node.right, level + 1, "R--- ")

tree = BST([50, 30, 70, 20, 40, 60, 80])
print(list(tree.inorder()), tree.height())
tree.show()
tree.delete(50)
tree.delete(20)
tree.show()
print(40 in tree, 50 in tree)

# %% trie with autocomplete
class TrieNode:
    def __init__(self):
        self.children = {}
        self.is_word = False

class Trie:
    def __init__(self):
        self.root = TrieNode()

    def insert(self, word: str) -> None:
        node = self.root
        for ch in word:
            node = node.children.setdefault(ch, TrieNode())
        node.is_word = True

    def _walk(self, prefix):
        node = self.root
        for ch in prefix:
            if ch not in node.children:
                return None
            node = node.children[ch]
        return node

    def search(self, word):
        node = self._walk(word)
        return node is not None and node.is_word

    def starts_with(self, prefix):
        return self._walk(prefix) is not None

    def complete(self, prefix):
        def collect(node, path):
            if node.is_word:
                yield "".join(path)
            for ch, child in sorted(node.children.items()):
                yield from collect(child, path + [ch])
        node = self._walk(prefix)
        return list(collect(node, [prefix])) if node else []

t = Trie()
for w in "apple app apt bat bath batman".split():
    t.insert(w)
print(t.search("app"), t.search("ap"), t.starts_with("ap"))
print(t.complete("ap"), t.complete("bat"), t.complete("z"))

# %% vector class with operators
import math

class Vector:
    def __init__(self, x=0, y=0):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        if isinstance(k, Vector):
            return self.x * k.x + self.y * k.y
        return Vector(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __abs__(self):
        return math.sqrt(self.x ** 2 + self.y ** 2)

    def __eq__(self, other):
        return isinstance(other, Vector) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def __bool__(self):
        return bool(self.x or self.y)

    def __iter__(self):
        return iter((self.x, self.y))

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __iadd__(self, other):
        self.x += other.x
        self.y += other.y
        return self

    def __repr__(self):
        return f"Vector({self.x}, {self.y})"

v, w = Vector(3, 4), Vector(1, -2)
print(v + w, v - w, v * 2, 2 * v, v * w, -v, abs(v))
print(v == Vector(3, 4), v != w, bool(Vector()), len({v, Vector(3, 4), w}))
x, y = v
print(x, y, v[0], v[-1], list(v), tuple(w))
u = v
u += w
print(u is v, v, sum([v, w], Vector()))
print(max([v, w], key=abs), sorted([v, w, Vector(0, 1)], key=lambda p: abs(p)))
print("truthy" if Vector(0, 0) else "falsy", "yes" if v and w else "no")

# %% fraction like class with ordering
from functools import total_ordering
from math import gcd

@total_ordering
class Rational:
    def __init__(self, num, den=1):
        if den == 0:
            raise ZeroDivisionError("denominator is zero")
        sign = -1 if num * den < 0 else 1
        num, den = abs(num), abs(den)
        g = gcd(num, den)
        self.num, self.den = sign * num // g, den // g

    def __add__(self, other):
        if isinstance(other, int):
            other = Rational(other)
        return Rational(self.num * other.den + other.num * self.den, self.den * other.den)

    __radd__ = __add__

    def __truediv__(self, other):
        return Rational(self.num * other.den, self.den * other.num)

    def __pow__(self, n):
        return Rational(self.num ** n, self.den ** n)

    def __eq__(self, other):
        return self.num == other.num and self.den == other.den

    def __lt__(self, other):
        return self.num * other.den < other.num * self.den

    def __float__(self):
        return self.num / self.den

    def __int__(self):
        return self.num // self.den

    def __str__(self):
        return f"{self.num}/{self.den}" if self.den != 1 else str(self.num)

a, b = Rational(1, 2), Rational(3, -4)
print(a, b, a + b, a + 1, 1 + a, a / b, a ** 3)
print(a > b, a <= b, a >= b, max(a, b), [str(r) for r in sorted([a, b, Rational(1, 3)])])
print(float(a), int(Rational(7, 2)), f"{float(b):+.2f}", sum([a, b, Rational(5)]))
try:
    Rational(1, 0)
except ZeroDivisionError as e:
    print(e)

# %% matrix class with indexing and formatting
class Matrix:
    def __init__(self, rows):
        self.rows = [list(r) for r in rows]

    @classmethod
    def identity(cls, n):
        return cls([[1 if i == j else 0 for j in range(n)] for i in range(n)])

    @staticmethod
    def zeros(r, c):
        return Matrix([[0] * c for _ in range(r)])

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0])

    @property
    def T(self):
        return Matrix(zip(*self.rows))

    def __getitem__(self, pos):
        i, j = pos
        return self.rows[i][j]

    def __setitem__(self, pos, value):
        i, j = pos
        self.rows[i][j] = value

    def __matmul__(self, other):
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*other.rows)] for r in self.rows])

    def __add__(self, other):
        return Matrix([[a + b for a, b in zip(r, s)] for r, s in zip(self.rows, other.rows)])

    def __mul__(self, k):
        return Matrix([[a * k for a in r] for r in self.rows])

    def __eq__(self, other):
        return self.rows == other.rows

    def __str__(self):
        return "\n".join(" ".join(f"{x:4}" for x in r) for r in self.rows)

m = Matrix([[1, 2], [3, 4]])
print(m @ Matrix.identity(2) == m, m.shape, m.T.rows)
m[0, 1] = 9
m[1, 0] += 5
print(m)
print(m[0, 1], (m + m).rows, (m * 3).rows)
print(Matrix.zeros(2, 3).rows)
print(m @ m.T)

# %% text adventure with rooms
class Room:
    def __init__(self, name, description):
        self.name = name
        self.description = description
        self.exits = {}
        self.items = []

    def connect(self, direction, room):
        opposite = {"north": "south", "south": "north", "east": "west", "west": "east"}
        self.exits[direction] = room
        room.exits[opposite[direction]] = self

class Game:
    def __init__(self):
        hall, kitchen, cellar = Room("Hall", "A dusty hall."), Room("Kitchen", "It smells of soup."), Room("Cellar", "Dark and cold.")
        hall.connect("north", kitchen)
        kitchen.connect("east", cellar)
        kitchen.items.append("lamp")
        cellar.items.extend(["gold", "bone"])
        self.current = hall
        self.inventory = []
        self.commands = {"go": self.do_go, "take": self.do_take, "look": self.do_look, "inventory": self.do_inventory}

    def do_go(self, direction=None):
        if direction in self.current.exits:
            self.current = self.current.exits[direction]
            self.do_look()
        else:
            print("You can't go that way.")

    def do_take(self, item):
        if item in self.current.items:
            if self.current.name == "Cellar" and "lamp" not in self.inventory:
                return print("Too dark!")
            self.current.items.remove(item)
            self.inventory.append(item)
            print(f"Taken: {item}.")
        else:
            print(f"There is no {item} here.")

    def do_look(self):
        print(f"== {self.current.name} ==")
        print(self.current.description)
        if self.current.items:
            print("You see:", ", ".join(self.current.items))
        print("Exits:", ", ".join(sorted(self.current.exits)))

    def do_inventory(self):
        print("You carry:", ", ".join(self.inventory) or "nothing")

    def run(self, script):
        for line in script:
            print(f"> {line}")
            verb, *args = line.split()
            handler = self.commands.get(verb)
            if not handler:
                print("I don't understand.")
                continue
            try:
                handler(*args)
            except TypeError:
                print("What do you mean?")

Game().run(["look", "go west", "go north", "take lamp", "go east", "take gold", "inventory", "dance", "take"])

# %% state machine with transition table
class TrafficLight:
    TRANSITIONS = {
        ("red", "timer"): "green",
        ("green", "timer"): "yellow",
        ("yellow", "timer"): "red",
    }
    DURATIONS = dict(red=30, green=25, yellow=5)

    def __init__(self, state="red"):
        self.state = state
        self.log = []
        self._callbacks = {}

    def on(self, state, callback):
        self._callbacks.setdefault(state, []).append(callback)

    def fire(self, event):
        key = (self.state, event)
        if key not in self.TRANSITIONS:
            if event == "power_off":
                self.state = "blinking"
            else:
                raise RuntimeError(f"Invalid event {event!r} in state {self.state!r}")
        else:
            self.log.append(self.state)
            self.state = self.TRANSITIONS[key]
        for cb in self._callbacks.get(self.state, []):
            cb(self)

light = TrafficLight()
light.on("green", lambda l: print("Go!"))
light.on("red", lambda l: print(f"Stop for {l.DURATIONS[l.state]}s"))
for _ in range(4):
    light.fire("timer")
print(light.state, light.log)
light.fire("power_off")
try:
    light.fire("timer")
except RuntimeError as e:
    print(e)
print(sum(TrafficLight.DURATIONS.values()))

# %% event scheduler with priority queue
import heapq
from dataclasses import dataclass, field
from typing import Any

@dataclass(order=True)
class Event:
    time: int
    priority: int
    name: str = field(compare=False)
    payload: Any = field(compare=False, default=None)

class Scheduler:
    def __init__(self):
        self.queue = []
        self.now = 0
        self.handlers = {}

    def schedule(self, delay, name, payload=None, priority=0):
        heapq.heappush(self.queue, Event(self.now + delay, priority, name, payload))

    def handler(self, name):
        def decorator(func):
            self.handlers[name] = func
            return func
        return decorator

    def run(self, until=100):
        while self.queue and self.queue[0].time <= until:
            event = heapq.heappop(self.queue)
            self.now = event.time
            self.handlers[event.name](self, event)

s = Scheduler()

@s.handler("arrive")
def arrive(sched, ev):
    print(f"[{sched.now:03d}] customer {ev.payload} arrives")
    sched.schedule(7, "leave", ev.payload, priority=1)
    if ev.payload < 3:
        sched.schedule(5, "arrive", ev.payload + 1)

@s.handler("leave")
def leave(sched, ev):
    print(f"[{sched.now:03d}] customer {ev.payload} leaves")

s.schedule(2, "arrive", 1)
s.schedule(12, "leave", 0, priority=-1)
s.run()
print(Event(1, 2, "a") < Event(1, 3, "b"), Event(1, 2, "x") == Event(1, 2, "y"))
print(Event(3, 1, "z"))

# %% observer and event emitter
from collections import defaultdict

class EventEmitter:
    def __init__(self):
        self._listeners = defaultdict(list)

    def on(self, event, listener=None):
        if listener is None:
            return lambda fn: self.on(event, fn) or fn
        self._listeners[event].append(listener)

    def off(self, event, listener):
        self._listeners[event].remove(listener)

    def emit(self, event, *args, **kwargs):
        for listener in list(self._listeners[event]):
            listener(*args, **kwargs)
        return len(self._listeners[event])

class Thermometer(object):
    def __init__(self, emitter):
        self._emitter = emitter
        self._celsius = 20

    @property
    def celsius(self):
        return self._celsius

    @celsius.setter
    def celsius(self, value):
        old, self._celsius = self._celsius, value
        self._emitter.emit("change", old=old, new=value)

    @property
    def fahrenheit(self):
        return self._celsius * 9 / 5 + 32

emitter = EventEmitter()

@emitter.on("change")
def log_change(old, new):
    print(f"{old}°C -> {new}°C")

class Alarm:
    def __init__(self, limit):
        self.limit, self.triggered = limit, 0

    def check(self, old, new):
        if new > self.limit >= old:
            self.triggered += 1
            print("ALARM!")

alarm = Alarm(30)
emitter.on("change", alarm.check)
t = Thermometer(emitter)
t.celsius = 25
t.celsius += 10
emitter.off("change", log_change)
t.celsius = 31
print(t.fahrenheit, alarm.triggered, emitter.emit("nothing"))

# %% deck of cards and hands
from itertools import product

class Card:
    RANKS = "2 3 4 5 6 7 8 9 10 J Q K A".split()
    SUITS = "♣ ♦ ♥ ♠".split()

    def __init__(self, rank, suit):
        self.rank, self.suit = rank, suit

    @property
    def value(self):
        return self.RANKS.index(self.rank)

    def __lt__(self, other):
        return (self.value, self.SUITS.index(self.suit)) < (other.value, self.SUITS.index(other.suit))

    def __eq__(self, other):
        return self.rank == other.rank and self.suit == other.suit

    def __repr__(self):
        return f"{self.rank}{self.suit}"

class Deck:
    def __init__(self):
        self.cards = [Card(r, s) for s, r in product(Card.SUITS, Card.RANKS)]

    def shuffle(self, seed):
        state = seed
        for i in range(len(self) - 1, 0, -1):
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
            j = state % (i + 1)
            self.cards[i], self.cards[j] = self.cards[j], self.cards[i]

    def deal(self, n):
        hand, self.cards = self.cards[:n], self.cards[n:]
        return hand

    def __len__(self):
        return len(self.cards)

    def __getitem__(self, i):
        return self.cards[i]

deck = Deck()
print(len(deck), deck[0], deck[-1], deck[12::13])
deck.shuffle(7)
hand = deck.deal(5)
print(hand, sorted(hand), max(hand), len(deck))
print(Card("A", "♠") in deck, Card("A", "♠") > Card("K", "♠"), [c for c in deck][:3])
ranks = [c.rank for c in hand]
print({r: ranks.count(r) for r in sorted(set(ranks), key=Card.RANKS.index)})

# %% student grade book
class Student:
    school = "Springfield"
    count = 0

    def __init__(self, name, *grades):
        self.name = name
        self.grades = list(grades)
        Student.count += 1

    def average(self):
        return sum(self.grades) / len(self.grades) if self.grades else 0

    def letter(self):
        avg = self.average()
        for cutoff, letter in ((90, "A"), (80, "B"), (70, "C"), (60, "D")):
            if avg >= cutoff:
                return letter
        return "F"

    @classmethod
    def from_string(cls, line):
        name, *grades = line.split(",")
        return cls(name.strip(), *map(float, grades))

    @staticmethod
    def is_valid(grade):
        return 0 <= grade <= 100

students = [Student("Ann", 92, 88, 95), Student.from_string("Bob, 75, 64.5, 80"), Student("Cid")]
print(f"{'Name':<10}|{'Avg':^8}|{'Grade':>6}")
for s in sorted(students, key=Student.average, reverse=True):
    print(f"{s.name:<10}|{s.average():^8.2f}|{s.letter():>6}")
print(Student.count, Student.school, Student.is_valid(101), hasattr(students[0], "grades"), getattr(students[0], "age", "n/a"))
by_letter = {}
for s in students:
    by_letter.setdefault(s.letter(), []).append(s.name)
print(by_letter)
students[0].school = "Shelbyville"
print(students[0].school, students[1].school, vars(students[2]), students[2].__dict__)

# %% shopping cart with discounts and strategies
from decimal import Decimal, ROUND_HALF_UP

class Cart:
    def __init__(self, discount=None):
        self.items = {}
        self.discount = discount or (lambda subtotal: Decimal("0"))

    def add(self, name, price, qty=1):
        old_price, old_qty = self.items.get(name, (Decimal(price), 0))
        self.items[name] = (old_price, old_qty + qty)
        return self

    @property
    def subtotal(self):
        return sum((p * q for p, q in self.items.values()), Decimal("0"))

    @property
    def total(self):
        return (self.subtotal - self.discount(self.subtotal)).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)

    def __iter__(self):
        for name, (price, qty) in self.items.items():
            yield name, price, qty

def percent_off(percent):
    return lambda s: s * Decimal(percent) / 100

def bulk(threshold, amount):
    def strategy(subtotal):
        return Decimal(amount) if subtotal >= threshold else Decimal(0)
    return strategy

for label, strategy in [("none", None), ("15%", percent_off(15)), ("bulk", bulk(50, "5.55"))]:
    cart = Cart(strategy).add("pen", "1.25", 4).add("book", "24.99", 2).add("pen", "1.25")
    print(f"{label:>6}: {cart.subtotal} -> {cart.total}")
for name, price, qty in cart:
    print(f"{name:.<12}{qty:>3} x {price:>6} = {price * qty:>7}")

# %% context manager classes and timers
class Transaction:
    def __init__(self, store):
        self.store = store

    def __enter__(self):
        self.backup = dict(self.store)
        print("begin")
        return self

    def __exit__(self, exc_type, exc, tb):
        if exc_type is not None:
            self.store.clear()
            self.store.update(self.backup)
            print(f"rollback because of {exc_type.__name__}: {exc}")
            return exc_type is KeyError
        print("commit")
        return False

class Indenter:
    def __init__(self):
        self.level = -1

    def __enter__(self):
        self.level += 1
        return self

    def __exit__(self, *args):
        self.level -= 1

    def print(self, text):
        print("    " * self.level + text)

db = {"a": 1}
with Transaction(db) as tx:
    tx.store["b"] = 2
with Transaction(db):
    db["c"] = 3
    db["missing"]
print(db)
try:
    with Transaction(db):
        db.clear()
        raise ValueError("boom")
except ValueError as e:
    print("outer", e, db)
with Indenter() as indent:
    indent.print("hi!")
    with indent:
        indent.print("hello")
        with indent:
            indent.print("bonjour")
    indent.print("hey")

# %% iterator class and range clone
class Countdown:
    def __init__(self, start):
        self.current = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.current <= 0:
            raise StopIteration
        self.current -= 1
        return self.current + 1

class FloatRange:
    def __init__(self, start, stop, step=1.0):
        self.start, self.stop, self.step = start, stop, step

    def __iter__(self):
        x = self.start
        while x < self.stop:
            yield round(x, 10)
            x += self.step

    def __len__(self):
        from math import ceil
        return max(0, ceil((self.stop - self.start) / self.step))

    def __contains__(self, value):
        return any(abs(value - x) < 1e-9 for x in self)

    def __reversed__(self):
        return iter(list(self)[::-1])

print(list(Countdown(5)), sum(Countdown(4)), " ".join(str(i) for i in Countdown(3)))
fr = FloatRange(0, 1, 0.25)
print(list(fr), len(fr), 0.5 in fr, 0.3 in fr, list(reversed(fr)))
it = iter(Countdown(2))
print(next(it), next(it), next(it, "done"))
for a, b in zip(fr, Countdown(10)):
    print(a, b, end="; ")
print()
print(dict(enumerate(FloatRange(1, 3))), [*map(int, FloatRange(0, 3))])

# %% library system with search and loans
from datetime import date, timedelta
from dataclasses import dataclass

@dataclass(frozen=True)
class Book:
    isbn: str
    title: str
    author: str
    year: int

class Library:
    LOAN_DAYS = 14

    def __init__(self):
        self._books = {}
        self._loans = {}

    def add_book(self, book, copies=1):
        self._books[book] = self._books.get(book, 0) + copies

    def search(self, **criteria):
        return [b for b in self._books if all(getattr(b, k) == v for k, v in criteria.items())]

    def checkout(self, member, isbn, today):
        matches = self.search(isbn=isbn)
        if not matches:
            raise LookupError(f"no book with ISBN {isbn}")
        book = matches[0]
        if not self._books[book]:
            raise RuntimeError(f"{book.title!r} is not available")
        self._books[book] -= 1
        self._loans[member, isbn] = today + timedelta(days=self.LOAN_DAYS)
        return self._loans[member, isbn]

    def give_back(self, member, isbn, today):
        due = self._loans.pop((member, isbn))
        late = max((today - due).days, 0)
        return late * 0.25

lib = Library()
dune = Book("111", "Dune", "Herbert", 1965)
lib.add_book(dune, 1)
lib.add_book(Book("222", "Emma", "Austen", 1815), 2)
print(lib.search(author="Austen"), lib.search(year=1900))
start = date(2024, 2, 20)
print("due", lib.checkout("ann", "111", start).strftime("%A, %d %B %Y"))
for who, isbn in [("bob", "111"), ("bob", "999")]:
    try:
        lib.checkout(who, isbn, start)
    except (LookupError, RuntimeError) as e:
        print(f"{type(e).__name__}: {e}")
print(f"fine: ${lib.give_back('ann', '111', date(2024, 3, 15)):.2f}")
try:
    dune.year = 2000
except AttributeError as e:
    print(type(e).__name__, e)

# %% polynomial class with call and format
class Polynomial:
    def __init__(self, *coefficients):
        self.coefficients = list(coefficients)

    def __call__(self, x):
        result = 0
        for c in self.coefficients:
            result = result * x + c
        return result

    def degree(self):
        return len(self.coefficients) - 1

    def derivative(self):
        n = self.degree()
        return Polynomial(*[c * (n - i) for i, c in enumerate(self.coefficients[:-1])])

    def __add__(self, other):
        a, b = self.coefficients[::-1], other.coefficients[::-1]
        from itertools import zip_longest
        return Polynomial(*[x + y for x, y in zip_longest(a, b, fillvalue=0)][::-1])

    def __mul__(self, other):
        out = [0] * (self.degree() + other.degree() + 1)
        for i, a in enumerate(self.coefficients):
            for j, b in enumerate(other.coefficients):
                out[i + j] += a * b
        return Polynomial(*out)

    def __str__(self):
        terms = []
        for i, c in enumerate(self.coefficients):
            power = self.degree() - i
            if c == 0:
                continue
            body = "" if abs(c) == 1 and power else str(abs(c))
            var = "" if power == 0 else "x" if power == 1 else f"x^{power}"
            sign = "-" if c < 0 else "+"
            terms.append(f"{sign} {body}{var}" if terms else f"{'-' if c < 0 else ''}{body}{var}")
        return " ".join(terms) or "0"

p, q = Polynomial(1, -3, 0, 2), Polynomial(2, 1)
print(p, "|", q, "|", p + q, "|", p * q)
print(p(2), q(0.5), p.derivative(), callable(p))
print(list(map(p, range(-1, 3))))
print(Polynomial(0, 0), Polynomial(-1, 0))

# %% graph class with method chaining and repr
from collections import defaultdict, deque
from typing import Dict, Hashable, Iterator, List, Set, Tuple

class Graph:
    def __init__(self, directed: bool = False) -> None:
        self.adj: Dict[Hashable, Dict[Hashable, float]] = defaultdict(dict)
        self.directed = directed

    def add_edge(self, u, v, weight=1) -> "Graph":
        self.adj[u][v] = weight
        if not self.directed:
            self.adj[v][u] = weight
        else:
            self.adj[v]
        return self

    def __len__(self):
        return len(self.adj)

    def __contains__(self, node):
        return node in self.adj

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.adj)

    def __getitem__(self, node):
        return self.adj[node]

    def edges(self) -> Iterator[Tuple]:
        seen: Set = set()
        for u in self.adj:
            for v, w in self.adj[u].items():
                if self.directed or (v, u) not in seen:
                    seen.add((u, v))
                    yield u, v, w

    def has_cycle(self) -> bool:
        WHITE, GRAY, BLACK = 0, 1, 2
        color = {n: WHITE for n in self.adj}
        def visit(n):
            color[n] = GRAY
            for m in self.adj[n]:
                if color[m] == GRAY or (color[m] == WHITE and visit(m)):
                    return True
            color[n] = BLACK
            return False
        return any(color[n] == WHITE and visit(n) for n in self.adj)

    def __repr__(self):
        kind = "DiGraph" if self.directed else "Graph"
        return f"<{kind} with {len(self)} nodes and {sum(1 for _ in self.edges())} edges>"

g = Graph().add_edge("a", "b", 3).add_edge("b", "c").add_edge("a", "c", 2.5)
d = Graph(directed=True).add_edge(1, 2).add_edge(2, 3)
print(g, d, "a" in g, 9 in d, list(g), g["a"], dict(d[1]))
print(list(g.edges()))
print(d.has_cycle(), d.add_edge(3, 1).has_cycle())

# %% temperature converter with class methods and constants
class Temperature:
    ABSOLUTE_ZERO = -273.15
    __instances = 0

    def __init__(self, celsius):
        if celsius < Temperature.ABSOLUTE_ZERO:
            raise ValueError(f"{celsius}°C is below absolute zero")
        self.__celsius = celsius
        Temperature.__instances += 1

    @classmethod
    def from_fahrenheit(cls, f):
        return cls((f - 32) * 5 / 9)

    @classmethod
    def from_kelvin(cls, k):
        return cls(k - 273.15)

    @classmethod
    def instances(cls):
        return cls.__instances

    @property
    def celsius(self): return self.__celsius
    @property
    def fahrenheit(self): return self.__celsius * 9 / 5 + 32
    @property
    def kelvin(self): return self.__celsius + 273.15

    def __format__(self, spec):
        unit = spec[-1:] or "C"
        digits = spec[:-1] or ".1f"
        value = {"C": self.celsius, "F": self.fahrenheit, "K": self.kelvin}[unit]
        return f"{value:{digits}}°{unit}"

for t in (Temperature(100), Temperature.from_fahrenheit(-40), Temperature.from_kelvin(0)):
    print(f"{t:.1fC} = {t:.2fF} = {t:.0fK} = {t}")
try:
    Temperature(-300)
except ValueError as e:
    print(e)
print(Temperature.instances())

# %% employee payroll with composition
class Address:
    def __init__(self, city, zip_code):
        self.city, self.zip_code = city, zip_code

    def __str__(self):
        return f"{self.city} {self.zip_code}"

class SalaryPolicy:
    def __init__(self, weekly):
        self.weekly = weekly

    def calculate(self):
        return self.weekly

class HourlyPolicy:
    def __init__(self, rate):
        self.rate = rate
        self.hours = 0

    def track(self, hours):
        self.hours += hours

    def calculate(self):
        overtime = max(0, self.hours - 40)
        return (self.hours - overtime) * self.rate + overtime * self.rate * 1.5

class Employee:
    _counter = 0

    def __init__(self, name, policy, address=None):
        Employee._counter += 1
        self.id = Employee._counter
        self.name, self.policy, self.address = name, policy, address

    def __repr__(self):
        cls = type(self).__name__
        return f"<{cls} {self.id:03} {self.name}>"

staff = [Employee("Eve", SalaryPolicy(1200), Address("Oslo", "0150")), Employee("Sam", HourlyPolicy(20))]
staff[1].policy.track(45.5)
for e in staff:
    print(e, f"${e.policy.calculate():>9,.2f}", type(e.policy).__name__, e.address or "-")
    if isinstance(e.policy, HourlyPolicy):
        print("   hours:", e.policy.hours)
print(f"Total: {sum(e.policy.calculate() for e in staff)}")

# %% parking lot with validation and dunder len
class ParkingLot:
    RATES = {"car": 2.0, "truck": 3.5, "bike": 0.5}

    def __init__(self, **spots):
        self.capacity = dict(spots)
        self.parked = {}

    def __len__(self):
        return len(self.parked)

    def free(self, kind):
        return self.capacity[kind] - sum(1 for k, _ in self.parked.values() if k == kind)

    def park(self, plate, kind, hour):
        if kind not in self.capacity:
            raise ValueError(f"Unknown vehicle type: {kind!r}")
        if plate in self.parked:
            raise ValueError(f"{plate} is already parked")
        if self.free(kind) <= 0:
            return False
        self.parked[plate] = kind, hour
        return True

    def leave(self, plate, hour):
        try:
            kind, since = self.parked.pop(plate)
        except KeyError:
            raise KeyError(f"{plate} not found") from None
        else:
            return (hour - since) * self.RATES[kind]
        finally:
            print(f"-- gate opened for {plate}")

lot = ParkingLot(car=2, bike=1)
print(lot.park("AA-1", "car", 8), lot.park("BB-2", "car", 9), lot.park("CC-3", "car", 9), len(lot))
for args in [("AA-1", "car", 10), ("X", "boat", 1)]:
    try:
        lot.park(*args)
    except ValueError as error:
        print("ERROR", error)
print(lot.leave("AA-1", 12), lot.free("car"))
try:
    lot.leave("ZZ", 1)
except KeyError as error:
    print("ERROR", error, error.args)
print(bool(lot), lot.park("M", "bike", 1) and not lot.park("N", "bike", 1))

# %% builder, repository and fluent query
class Query:
    def __init__(self, rows):
        self._rows = rows
        self._filters, self._order, self._limit = [], None, None

    def where(self, predicate=None, **equals):
        if predicate:
            self._filters.append(predicate)
        for k, v in equals.items():
            self._filters.append(lambda row, k=k, v=v: row.get(k) == v)
        return self

    def order_by(self, key, descending=False):
        self._order = (key, descending)
        return self

    def limit(self, n):
        self._limit = n
        return self

    def __iter__(self):
        rows = [r for r in self._rows if all(f(r) for f in self._filters)]
        if self._order:
            key, desc = self._order
            rows.sort(key=lambda r: r[key], reverse=desc)
        yield from rows[:self._limit]

    def first(self):
        return next(iter(self), None)

    def count(self):
        return sum(1 for _ in self)

people = [{"name": n, "age": a, "city": c} for n, a, c in [("Ann", 31, "Rome"), ("Bob", 25, "Oslo"), ("Cid", 47, "Rome"), ("Dee", 39, "Rome")]]
q = Query(people).where(city="Rome").where(lambda r: r["age"] > 30).order_by("age", descending=True).limit(2)
for row in q:
    print("{name:<5}{age:>3} {city}".format(**row))
print(q.count(), q.first()["name"], Query(people).where(city="Lima").first())

# %% game characters with composition and combat
class Weapon:
    def __init__(self, name, damage):
        self.name = name
        self.damage = damage

class Character:
    def __init__(self, name, hp=20, weapon=None, **stats):
        self.name = name
        self.hp = self.max_hp = hp
        self.weapon = weapon or Weapon("fists", 1)
        self.stats = {"strength": 1, "armor": 0} | stats

    @property
    def alive(self) -> bool:
        return self.hp > 0

    def attack(self, other):
        dmg = max(1, self.weapon.damage + self.stats["strength"] - other.stats["armor"])
        other.hp = max(0, other.hp - dmg)
        print(f"{self.name} hits {other.name} with {self.weapon.name} for {dmg} ({other.hp}/{other.max_hp})")

    def bar(self, width=10):
        filled = round(width * self.hp / self.max_hp)
        return f"[{'#' * filled}{'-' * (width - filled)}] {self.hp / self.max_hp:.0%}"

hero = Character("Hero", 18, Weapon("sword", 5), strength=2)
orc = Character("Orc", armor=1, strength=4)
turn = 0
while hero.alive and orc.alive:
    attacker, defender = (hero, orc) if turn % 2 == 0 else (orc, hero)
    attacker.attack(defender)
    turn += 1
winner = next(c for c in (hero, orc) if c.alive)
print(f"{winner.name} wins after {turn} turns", winner.bar())
print(orc.stats, orc.bar(4))
# %% dataclasses in order
from dataclasses import dataclass, field
import heapq
@dataclass(order=True)
class Task:
    priority: int
    name: str
    tags: list = field(default_factory=list)
tasks = [Task(3, "c"), Task(1, "b"), Task(1, "a", ["x"]), Task(1, "a")]
print(sorted(tasks))
print(min(tasks), max(tasks), sorted(tasks, reverse=True)[0].name)
print(Task(1, "a") < Task(1, "b"), Task(1, "a") <= Task(1, "a"), Task(1, "a") > Task(1, "a"), Task(2, "a") >= Task(1, "z"))
h = []
for t in tasks: heapq.heappush(h, t)
print([heapq.heappop(h).name for _ in range(len(h))])
try:
    Task(1, "a") < 5
except TypeError as e:
    print(e)
try:
    Task(1, None) < Task(1, "a")
except TypeError as e:
    print(e)
print(Task(1, "a").__lt__(Task(2, "a")), Task(1, "a").__lt__(3), Task.__gt__(Task(1, "b"), Task(1, "a")))
@dataclass(order=True, frozen=True)
class P:
    x: float
    y: float = 0.0
@dataclass(order=True)
class Q(P.__mro__[0] if False else object):
    x: int
print(P(1) < P(1, 1), {P(2), P(2)}, sorted([P(2), P(1)]), P(float("nan")) < P(1.0))
print(sorted([(P(2), 1), (P(1), 5)]), sorted({P(3): 1, P(0): 2}.items()))
try:
    @dataclass(order=True)
    class R:
        x: int
        def __lt__(self, other): return True
except TypeError as e:
    print(e)
try:
    @dataclass(order=True, eq=False)
    class S:
        x: int
except ValueError as e:
    print(e)
