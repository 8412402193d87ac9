# Rounding and powers as Python has them; see `compat/calls.rs`.
def _rlm_load(type, float, int, round, abs, pow, isinstance):
    import datetime
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
    def timedelta(days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        # In microseconds; what is left of fractions is rounded once, at the end.
        whole = 0
        rest = 0.0
        for n, factor in ((microseconds, 1), (milliseconds, 1000), (seconds, 1000000), (minutes, 60000000), (hours, 3600000000), (days, 86400000000), (weeks, 604800000000)):
            if type(n) is float:
                if n != n:
                    raise ValueError('cannot convert float NaN to integer')
                part = (n - int(n)) * factor
                whole += int(n) * factor + int(part)
                rest += part - int(part)
            elif isinstance(n, int):
                whole += n * factor
            else:
                raise TypeError(f'unsupported type for timedelta component: {type(n).__name__}')
        near = round(rest)
        if abs(near - rest) == 0.5 and (whole + near) % 2:
            near = near - 1 if near > rest else near + 1
        whole += near
        return datetime.timedelta(days=whole // 86400000000, seconds=whole // 1000000 % 86400, microseconds=whole % 1000000)
    return round_, pow_, timedelta
_rlm_round, _rlm_pow, _rlm_timedelta = _rlm_load(type, float, int, round, abs, pow, isinstance)
