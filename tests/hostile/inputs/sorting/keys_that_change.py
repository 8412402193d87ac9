# Keys that have another hash each time, and equals that empty the dict they are looked up in
d, s = {}, set()
n = [0]
class Turns:
    def __hash__(self):
        n[0] += 1
        return n[0] % 7
    def __eq__(self, other):
        n[0] += 1
        if n[0] % 11 == 0:
            d.clear()
            s.clear()
        elif n[0] % 5 == 0:
            d.update({Turns(): 1, i: 2})
            s.update({Turns(), i})
        elif n[0] % 13 == 0:
            d.pop(self, None)
            s.discard(other)
        return n[0] % 3 == 0
for i in range(30_000):
    for f in (lambda: d.setdefault(Turns(), i), lambda: s.add(Turns()), lambda: d.pop(Turns()), lambda: s ^ {Turns(), Turns()}, lambda: d | {Turns(): 1}, lambda: d == {Turns(): 1}, lambda: s <= {Turns()}, lambda: d.popitem(), lambda: [*d], lambda: Turns() in d, lambda: s.remove(Turns())):
        try:
            f()
        except Exception as e:
            kind = type(e).__name__
(kind, len(d) < 10 ** 6, list(s)[:0])
