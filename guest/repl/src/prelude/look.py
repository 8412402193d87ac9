# How variables are looked at without running code of theirs.
def _rlm_make(kit, report, type, bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, len, min, range, zip, ValueError, OverflowError):
    from collections import Counter, defaultdict, deque
    from datetime import date, datetime
    leaves = kit['leaves']
    def text(v, room, around=()):
        t = type(v)
        if t in leaves and t is not int and t is not str and t is not bytes:
            return f'{v!r}'
        if t is int:
            return f'{v!r}' if -10 ** 60 < v < 10 ** 60 else '<int>'
        if t is str or t is bytes:
            return f'{v[:room + 1]!r}'
        for outer in around:
            if outer is v:
                return '...'
        if room <= 0 or len(around) > 15:
            return '...'
        inner = (*around, v)
        if t is list:
            return f'[{several(v, room, inner)}]'
        if t is tuple:
            return f'({several(v, room, inner)},)' if len(v) == 1 else f'({several(v, room, inner)})'
        if t is dict:
            return f'{{{pairs(v, room, inner)}}}'
        if t is set:
            return f'{{{several(v, room, inner)}}}' if v else 'set()'
        if t is frozenset:
            return f'frozenset({{{several(v, room, inner)}}})' if v else 'frozenset()'
        if t is Counter or t is defaultdict:
            return f'{t.__name__}({{{pairs(v, room, inner)}}})'
        if t is deque:
            return f'deque([{several(v, room, inner)}])'
        if t is type(int):
            return f'{v!r}'
        name = f'{t.__name__}'
        return f'<{name}>'
    def several(items, room, around):
        parts = []
        for x in items:
            if room <= 0:
                parts.append('...')
                break
            part = text(x, room, around)
            room -= len(part) + 2
            parts.append(part)
        return ', '.join(parts)
    def pairs(d, room, around):
        parts = []
        for k, x in d.items():
            if room <= 0:
                parts.append('...')
                break
            part = f'{text(k, room, around)}: {text(x, room, around)}'
            room -= len(part) + 2
            parts.append(part)
        return ', '.join(parts)
    small = (type(None), bool, float, complex, date, datetime)
    most, least = 10 ** 60, -10 ** 60
    def copies(xs, around, left):
        # In JSON each takes two characters at the least.
        if 2 * len(xs) > left[0]:
            raise ValueError
        if len(xs) > left[1]:
            raise OverflowError
        left[0] -= 2 * len(xs)
        left[1] -= len(xs)
        return [x if type(x) in small or type(x) is int and least < x < most else copy(x, around, left) for x in xs]
    def copy(v, around, left):
        t = type(v)
        if t is str or t is bytes:
            left[0] -= len(v)
        elif t is int and not least < v < most:
            left[0] -= len(f'{v!r}')
        if left[0] < 0:
            raise ValueError
        if t in leaves:
            return v
        left[1] -= 20
        if left[1] < 0:
            raise OverflowError
        for outer in around:
            if outer is v:
                raise ValueError
        inner = (*around, v)
        if t is list:
            return copies(v, inner, left)
        if t is tuple:
            return (*copies(v, inner, left),)
        if t is dict:
            return {k: x for k, x in zip(copies(v, inner, left), copies(v.values(), inner, left))}
        if t is set:
            return {*copies(v, inner, left)}
        if t is frozenset:
            return frozenset(copies(v, inner, left))
        raise ValueError
    def weigh(v, left, depth):
        t = type(v)
        has_items = t is list or t is tuple or t is set or t is frozenset or t is deque or t is dict or t is Counter or t is defaultdict
        # Each item takes three characters at the least.
        left[0] -= len(v) if t is str or t is bytes else 3 * len(v) if has_items else 0
        if left[0] < 0 or depth > 100:
            raise ValueError
        if not has_items:
            return
        if t is list or t is tuple or t is set or t is frozenset or t is deque:
            for x in v:
                weigh(x, left, depth + 1)
        else:
            for k, x in v.items():
                weigh(k, left, depth + 1)
                weigh(x, left, depth + 1)
    def result(v, most):
        try:
            weigh(v, [most], 0)
        except:
            return (text(v, 1000), None, None)
        return report(v)
    def variables(bound, most, asks, room):
        # For all values together: bytes of JSON, and steps that making copies takes.
        total = [16 * room, 2000000]
        def value(v, steps):
            given = min(room, total[0]), min(steps, total[1])
            left = [*given]
            copied, is_late = None, False
            try:
                copied = (copy(v, (), left),)
                total[0] -= given[0] - left[0]
            except OverflowError:
                is_late = True
            except:
                pass
            total[1] -= given[1] - left[1]
            return copied, is_late
        listed = []
        for n, v in bound.items():
            t = type(v)
            r = '...'
            try:
                r = f'{v!r:.{most + 1}}' if asks else text(v, most)
            except:
                pass
            size = len(v) if t in (str, bytes, list, tuple, dict, set, frozenset, Counter, defaultdict, deque) else None
            name = f'{t.__name__}'
            listed.append((n, name[:201], r[:most], size, *(value(v, 20000) if room else (None, False))))
        # What takes long comes last, and leaves half of the steps to the others.
        for i in range(len(listed)):
            n, name, r, size, copied, is_late = listed[i]
            if is_late:
                copied = value(bound[n], total[1] // 2)[0]
            listed[i] = (n, name, r, size, copied)
        return listed
    kit['text'] = text
    kit['variables'] = variables
    return result
_rlm_result = _rlm_make(_rlm_kit, _rlm_report, type, bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, len, min, range, zip, ValueError, OverflowError)
