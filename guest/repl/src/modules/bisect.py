def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    row = type(())
    def less(a, b):
        try:
            return a < b
        except TypeError:
            # Instances, alone or first in their rows, are asked themselves.
            if type(a) in (list, row) and type(a) is type(b):
                for i in range(min(len(a), len(b))):
                    if not a[i] == b[i]:
                        return less(a[i], b[i])
                return len(a) < len(b)
            if hasattr(a, '__lt__'):
                r = a.__lt__(b)
                if r is not NotImplemented:
                    return r
            if hasattr(b, '__gt__'):
                r = b.__gt__(a)
                if r is not NotImplemented:
                    return r
            raise
    def end(a, lo, hi):
        if lo < 0:
            raise ValueError('lo must be non-negative')
        return len(a) if hi is None else hi
    def bisect_left(a, x, lo=0, hi=None, *, key=None):
        hi = end(a, lo, hi)
        while lo < hi:
            mid = (lo + hi) // 2
            if less(a[mid] if key is None else key(a[mid]), x):
                lo = mid + 1
            else:
                hi = mid
        return lo
    def bisect_right(a, x, lo=0, hi=None, *, key=None):
        hi = end(a, lo, hi)
        while lo < hi:
            mid = (lo + hi) // 2
            if less(x, a[mid] if key is None else key(a[mid])):
                hi = mid
            else:
                lo = mid + 1
        return lo
    def insort_left(a, x, lo=0, hi=None, *, key=None):
        a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)
    def insort_right(a, x, lo=0, hi=None, *, key=None):
        a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)
    return _rlm_Module('bisect', {
        'bisect_left': bisect_left, 'bisect_right': bisect_right, 'bisect': bisect_right,
        'insort_left': insort_left, 'insort_right': insort_right, 'insort': insort_right,
    })
_rlm_module_bisect = _rlm_load(*_rlm_kit['builtins'])
