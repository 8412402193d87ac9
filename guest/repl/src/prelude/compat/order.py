# Which of two instances is less, as they say; see `compat/order.rs`.
def _rlm_load(type, len, range, sorted, min, max, hasattr, getattr, list, tuple):
    ways = {'<': ('__lt__', '__gt__'), '>': ('__gt__', '__lt__'), '<=': ('__le__', '__ge__'), '>=': ('__ge__', '__le__')}
    def unequal(a, b):
        for x, y in ((a, b), (b, a)):
            if hasattr(type(x), '__ne__') and hasattr(x, '__ne__'):
                r = x.__ne__(y)
                if r is not NotImplemented:
                    return r
            elif hasattr(type(x), '__eq__'):
                break
        return a != b
    def compare(a, op, b):
        if op == '!=':
            return unequal(a, b)
        way, other = ways[op]
        if hasattr(a, way):
            r = getattr(a, way)(b)
            if r is not NotImplemented:
                return r
        if hasattr(b, other):
            r = getattr(b, other)(a)
            if r is not NotImplemented:
                return r
        if op == '<':
            return a < b
        if op == '>':
            return a > b
        if op == '<=':
            return a <= b
        return a >= b
    def compare_all(*parts):
        left = parts[0]
        for i in range(1, len(parts), 2):
            right = parts[i + 1] if i == 1 else parts[i + 1]()
            r = compare(left, parts[i], right)
            if not r:
                return r
            left = right
        return r
    def tells(x):
        if hasattr(x, '__lt__') or hasattr(x, '__gt__'):
            return True
        return type(x) in (list, tuple) and len([v for v in x if tells(v)]) > 0
    def less(a, b):
        if type(a) in (list, tuple) and type(a) is type(b):
            for i in range(min(len(a), len(b))):
                if not a[i] == b[i]:
                    return less(a[i], b[i])
            return len(a) < len(b)
        return compare(a, '<', b)
    def merged(keys, order):
        if len(order) < 2:
            return order
        half = len(order) // 2
        a = merged(keys, order[:half])
        b = merged(keys, order[half:])
        out = []
        i = j = 0
        while i < len(a) and j < len(b):
            if less(keys[b[j]], keys[a[i]]):
                out.append(b[j])
                j += 1
            else:
                out.append(a[i])
                i += 1
        return out + a[i:] + b[j:]
    def sorted_(xs, *, key=None, reverse=False):
        xs = list(xs)
        keys = xs if key is None else [key(x) for x in xs]
        if not [k for k in keys if tells(k)]:
            order = sorted(range(len(xs)), key=lambda i: keys[i], reverse=reverse)
        elif reverse:
            order = merged(keys, [*range(len(xs) - 1, -1, -1)])[::-1]
        else:
            order = merged(keys, [*range(len(xs))])
        return [xs[i] for i in order]
    def sort(xs):
        if type(xs) is not list:
            return lambda *a, **k: xs.sort(*a, **k)
        def in_place(*, key=None, reverse=False):
            xs[:] = sorted_(xs, key=key, reverse=reverse)
        return in_place
    def best(name, native, better):
        def pick(*args, key=None, **rest):
            xs = list(args[0]) if len(args) == 1 else [*args]
            keys = xs if key is None else [key(x) for x in xs]
            if not xs or not [k for k in keys if tells(k)]:
                if not xs:
                    return native(xs, **rest)
                return xs[native(range(len(xs)), key=lambda i: keys[i])]
            at = 0
            for i in range(1, len(xs)):
                if better(keys[i], keys[at]):
                    at = i
            return xs[at]
        return pick
    return compare, compare_all, less, sorted_, sort, best('min', min, lambda a, b: less(a, b)), best('max', max, lambda a, b: less(b, a))
_rlm_compare, _rlm_compare_all, _rlm_less, _rlm_order_sorted, _rlm_order_sort, _rlm_order_min, _rlm_order_max = _rlm_load(type, len, range, sorted, min, max, hasattr, getattr, list, tuple)
