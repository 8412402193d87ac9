# What instances say of their length and truth; see `compat/truth.rs`.
def _rlm_load(type, len, bool, hasattr, int):
    def len_(x):
        if hasattr(x, '__len__'):
            n = x.__len__()
            if type(n) is not int:
                raise TypeError(f"'{type(n).__name__}' object cannot be interpreted as an integer")
            if n < 0:
                raise ValueError('__len__() should return >= 0')
            return n
        return len(x)
    def bool_(x=False):
        if hasattr(x, '__bool__'):
            b = x.__bool__()
            if type(b) is not bool:
                raise TypeError(f'__bool__ should return bool, returned {type(b).__name__}')
            return b
        if hasattr(x, '__len__'):
            return len_(x) != 0
        return bool(x)
    def any_of(it):
        for x in it:
            if bool_(x):
                return True
        return False
    def all_of(it):
        for x in it:
            if not bool_(x):
                return False
        return True
    return len_, bool_, any_of, all_of
_rlm_len, _rlm_bool, _rlm_any_of, _rlm_all_of = _rlm_load(type, len, bool, hasattr, int)
