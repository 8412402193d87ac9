# Holds itself by every kind of container, and is what `result` is, too
from collections import deque, defaultdict, namedtuple
from dataclasses import dataclass
@dataclass
class Data:
    x: object
Pair = namedtuple('Pair', 'a b')
xs, d, q, w = [], {}, deque(), defaultdict(list)
data = Data(xs)
pair = Pair(xs, d)
error = ValueError(xs)
xs += [xs, d, q, data, pair, (xs,), error, {1: xs}, w, lambda x=xs: x]
d[(1, None)] = d['d'] = d
q.append(q), w[0].append(w)
return_value = data
result = pair
xs
