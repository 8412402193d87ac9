# What has a format of its own, so that it can be padded; see `compat/formats.rs`.
def _rlm_load(type, str, int, float, hasattr, TypeError):
    able = ('bool', 'complex', 'Decimal')
    homes = {'timedelta': 'datetime', 'deque': 'collections', 'defaultdict': 'collections', 'OrderedDict': 'collections', 'Match': 're', 'Pattern': 're', 'partial': 'functools'}
    def fit(x):
        t = type(x)
        if t is str or t is int or t is float:
            return x
        name = t.__name__
        if name in ('date', 'datetime', 'time'):
            raise NotImplementedError('a date in a format that is not one of strftime() is not available in this sandbox: make a text of it first, as in str(day)')
        # Those with a value are members of an enumeration.
        if name in able or hasattr(t, '__format__') or hasattr(x, '_value_') or hasattr(x, 'value') and hasattr(x, 'name'):
            return x
        name = name.split('.')[-1]
        raise TypeError(f"unsupported format string passed to {homes[name] + '.' if name in homes else ''}{name}.__format__")
    return fit
_rlm_fit = _rlm_load(type, str, int, float, hasattr, TypeError)
