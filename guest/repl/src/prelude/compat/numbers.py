# Rounding and powers as Python has them; see `compat/calls.rs`.
def _rlm_load(type, float, int, round, abs, pow, isinstance):
    def round_(x, n):
        # What formatting does is exact; Monty scales, and is off by one digit now and then.
        if type(x) is float and type(n) is int and 0 <= n < 300 and abs(x) < 1e300:
            return float(f'{x:.{n}f}')
        return round(x, n)
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
    return round_, pow_
_rlm_round, _rlm_pow = _rlm_load(type, float, int, round, abs, pow, isinstance)
