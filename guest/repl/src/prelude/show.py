# What the value of a script is shown as; see `report.rs`.
_rlm_kit = {}
def _rlm_make(kit, show_opaque, type, bool, int, float, str, bytes, complex, list, tuple, dict, set, frozenset):
    import json
    from datetime import date, datetime
    scalars = (type(None), bool, int, float, str)
    least, greatest = -10 ** 60, 10 ** 60
    leaves = (*scalars, bytes, complex, date, datetime)
    def plain(v, around):
        t = type(v)
        if t in leaves:
            return v
        for outer in around:
            if outer is v:
                return (show_opaque, '...')
        inner = (*around, v)
        if t is list:
            return [plain(x, inner) for x in v]
        if t is tuple:
            return (*[plain(x, inner) for x in v],)
        if t is dict:
            return {plain(k, inner): plain(x, inner) for k, x in v.items()}
        if t is set:
            return {*[plain(x, inner) for x in v]}
        if t is frozenset:
            return frozenset([plain(x, inner) for x in v])
        return (show_opaque, f'{v!r}')
    # The most characters of a value that are shown; see `report.rs`.
    shown = kit['shown'] = [1 << 20]
    def show(v, most=None):
        t = type(v)
        if t in scalars:
            if t is not str and (t is not int or least < v < greatest):
                return v
            most = most or shown[0]
            if t is str:
                return v if len(v) <= most else (f'{v[:most + 1]!r}', None, None)
            # As text it would take seconds.
            return v if v >> 4 * most in (0, -1) else (f'<int of more than {4 * most} bits>', None, None)
        # JSON has no spaces, and may fit where the text does not.
        most = 2 * (most or shown[0])
        r = f'{v!r:.{most + 1}}'
        if len(r) > most:
            return (r, None, None)
        try:
            json.dumps(v)
            return (r, v)
        except:
            pass
        try:
            return (r, plain(v, ()))
        except:
            return (r, (show_opaque, r))
    def report(v):
        global _rlm_value
        _rlm_value = None
        return show(v)
    def bound(name):
        try:
            return (_rlm_global(name),)
        except:
            return None
    def check(source, is_scoped=False):
        if type(source) is bytes:
            source = source.decode()
        if type(source) is not str:
            raise TypeError('only text can be evaluated')
        return _rlm_checked(source, True) if is_scoped else _rlm_checked(source)
    kit['leaves'] = leaves
    return show, report, bound, check
_rlm_value = None
# What modules of ours print with.
_rlm_kit['print'] = print
_rlm_kit['held'] = [0]
# What a script may bind to something else.
_rlm_kit['delattr'], _rlm_kit['issubclass'] = delattr, issubclass
_rlm_kit['never'] = 'this waits for ever'
_rlm_kit['builtins'] = (abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip)
_rlm_show, _rlm_report, _rlm_bound, _rlm_check = _rlm_make(_rlm_kit, locals, type, bool, int, float, str, bytes, complex, list, tuple, dict, set, frozenset)
