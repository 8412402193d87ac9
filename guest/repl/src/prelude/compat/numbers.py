# Powers as Python has them; see `compat/calls.rs`.
def _rlm_load(int, abs, pow, isinstance):
    def pow_(base, exp, mod=None):
        if mod is None or not isinstance(exp, int) or not isinstance(mod, int) or exp >= 0 or mod == 0:
            return pow(base, exp, mod)
        # The inverse, by Euclid.
        a, m, x, y = base % abs(mod), abs(mod), 1, 0
        while m:
            q = a // m
            a, m, x, y = m, a - q * m, y, x - q * y
        if a != 1:
            raise ValueError('base is not invertible for the given modulus')
        return pow(x % abs(mod), -exp, mod)
    return pow_
_rlm_pow = _rlm_load(int, abs, pow, isinstance)
