# What `del` does to items; see `compat/deletion.rs`.
def _rlm_load(type, len, range, list, dict, slice, hasattr, str, int, float, bytes, tuple):
    def delete(o, key):
        t = type(o)
        if t is dict or t.__name__ == 'defaultdict':
            o.pop(key)
        elif t is list:
            if type(key) is slice:
                low, high, step = indices(key, len(o))
                gone = range(low, high, step)
                if step == 1:
                    o[key] = []
                    return
                kept = {*gone}
                o[:] = [o[i] for i in range(len(o)) if i not in kept]
                return
            if not -len(o) <= key < len(o):
                raise IndexError('list assignment index out of range')
            o.pop(key)
        elif hasattr(o, '__delitem__'):
            o.__delitem__(key)
        elif t.__name__ == 'Counter':
            if key in o:
                o.pop(key)
        elif t.__name__ == 'deque':
            if type(key) is slice:
                raise TypeError("sequence index must be integer, not 'slice'")
            if not -len(o) <= key < len(o):
                raise IndexError('deque index out of range')
            kept = [*o]
            kept.pop(key)
            o.clear()
            o.extend(kept)
        else:
            word = "doesn't" if t in (str, int, float, bytes, tuple, range) else 'does not'
            raise TypeError(f"'{t.__name__}' object {word} support item deletion")
    def indices(s, n):
        step = 1 if s.step is None else s.step
        if step == 0:
            raise ValueError('slice step cannot be zero')
        low, high = (0, n) if step > 0 else (-1, n - 1)
        def bound(x, default):
            if x is None:
                return default
            if x < 0:
                x += n
                return low if x < low else x
            return high if x > high else x
        if step > 0:
            return bound(s.start, 0), bound(s.stop, n), step
        return bound(s.start, n - 1), bound(s.stop, -1), step
    return delete
_rlm_gone = ValueError
_rlm_slice = slice
_rlm_delete = _rlm_load(type, len, range, list, dict, slice, hasattr, str, int, float, bytes, tuple)
