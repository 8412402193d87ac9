# What calls host functions where Python's own cannot wait; see `callbacks.rs`.
# Where `map_awaited` and `asked` call one, they are given what can be awaited.
def _rlm_make(kit, type, list, len, range, zip, iter, sorted, min, max):
    def map(f, *its):
        if len(its) == 1:
            return iter([f(x) for x in its[0]])
        return iter([f(*xs) for xs in zip(*its)])
    def map_awaited(f, *its):
        if len(its) == 1:
            return [f(x) for x in its[0]]
        return [f(*xs) for xs in zip(*its)]
    def asked(f, args, kwargs):
        return f(*args, **kwargs)
    def filter(f, it):
        return iter([x for x in it if (x if f is None else f(x))])
    def sort(xs, *, key=None, reverse=False):
        xs = [*xs]
        if key is None:
            return sorted(xs, reverse=reverse)
        keys = [key(x) for x in xs]
        return [xs[i] for i in sorted(range(len(keys)), key=lambda i: keys[i], reverse=reverse)]
    def sort_in_place(xs, *args, **kwargs):
        if type(xs) is not list:
            return xs.sort(*args, **kwargs)
        xs[:] = sort(xs, **kwargs)
    def smallest(*args, key=None, **rest):
        xs = [*args[0]] if len(args) == 1 else [*args]
        if key is None or not xs:
            return min(xs, **rest)
        keys = [key(x) for x in xs]
        best = 0
        for i in range(1, len(xs)):
            if keys[i] < keys[best]:
                best = i
        return xs[best]
    def largest(*args, key=None, **rest):
        xs = [*args[0]] if len(args) == 1 else [*args]
        if key is None or not xs:
            return max(xs, **rest)
        keys = [key(x) for x in xs]
        best = 0
        for i in range(1, len(xs)):
            if keys[i] > keys[best]:
                best = i
        return xs[best]
    kit['map'] = map
    kit['map_awaited'] = map_awaited
    kit['asked'] = asked
    kit['filter'] = filter
    kit['sorted'] = sort
    kit['sort'] = sort_in_place
    kit['min'] = smallest
    kit['max'] = largest
_rlm_make(_rlm_kit, type, list, len, range, zip, iter, sorted, min, max)
