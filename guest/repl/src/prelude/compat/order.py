# Sorting by what instances say, which may call the host; see `compat/order.rs`.
def _rlm_load(type, len, range, sorted, min, max, hasattr, list, tuple):
    def compare(a, b):
        # A method that is called by its name can wait for the host, an operator cannot.
        if hasattr(a, '__lt__'):
            r = a.__lt__(b)
            if r is not NotImplemented:
                return r
        if hasattr(b, '__gt__'):
            r = b.__gt__(a)
            if r is not NotImplemented:
                return r
        return a < b
    def tells(x, depth=3):
        # Where it is not seen, the interpreter sorts, whose methods call no host.
        if hasattr(x, '__lt__') or hasattr(x, '__gt__'):
            return True
        return depth > 0 and type(x) in (list, tuple) and len([v for v in x[:8] if tells(v, depth - 1)]) > 0
    def less(a, b):
        if type(a) in (list, tuple) and type(a) is type(b):
            for i in range(min(len(a), len(b))):
                if not a[i] == b[i]:
                    return less(a[i], b[i])
            return len(a) < len(b)
        return compare(a, b)
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
    return sorted_, sort, best('min', min, lambda a, b: less(a, b)), best('max', max, lambda a, b: less(b, a))
_rlm_order_sorted, _rlm_order_sort, _rlm_order_min, _rlm_order_max = _rlm_load(type, len, range, sorted, min, max, hasattr, list, tuple)
