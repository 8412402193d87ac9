# Changes the containers it is in while they are shown, copied and compared
from collections import deque, OrderedDict
class Changes:
    def __repr__(self):
        global value, print, result
        xs.append(Changes()), xs.insert(0, xs), d.clear(), s.pop(), q.rotate(), q.extend(q)
        d[len(xs)] = self
        value = result = print = None
        return 'x'
    def __hash__(self): return len(xs)
    def __eq__(self, other): xs.clear(); return repr(other) == 1
xs, d, q = [], {}, deque()
s = {Changes(), 1, 2, 3, 4, 5, 6, 7}
xs += [Changes()] * 3
d[0] = d[1] = q
q.append(Changes())
result = value = [xs, d, s, q, OrderedDict(d)]
value
