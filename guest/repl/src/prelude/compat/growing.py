# What lists take behind `+=`, and where an empty text is found; see
# `compat/growing.rs`.
def _rlm_load(type, list, tuple, set, dict, range, str, bytes, int, len, ValueError):
    def more(xs, given):
        kind = type(given)
        if type(xs) is not list or kind is list:
            return given
        if kind is tuple or kind is str or kind is set or kind is dict or kind is range:
            return list(given)
        # What has come before something goes wrong is there.
        for item in given:
            xs.append(item)
        return []
    def found(way, o, wanted, *where):
        # Monty finds nothing even beyond the end.
        if (wanted == '' or wanted == b'') and type(o) in (str, bytes) and type(where[0]) is int and where[0] > len(o):
            if way in ('index', 'rindex'):
                raise ValueError('substring not found' if type(o) is str else 'subsection not found')
            return 0 if way == 'count' else False if way in ('startswith', 'endswith') else -1
        if way == 'find':
            return o.find(wanted, *where)
        if way == 'rfind':
            return o.rfind(wanted, *where)
        if way == 'index':
            return o.index(wanted, *where)
        if way == 'rindex':
            return o.rindex(wanted, *where)
        if way == 'count':
            return o.count(wanted, *where)
        if way == 'startswith':
            return o.startswith(wanted, *where)
        return o.endswith(wanted, *where)
    return more, found
_rlm_more, _rlm_found = _rlm_load(type, list, tuple, set, type({}), range, str, bytes, int, len, ValueError)
