# Rounding as Python does it; see `compat/calls.rs`.
def _rlm_load(type, float, int, round, abs):
    def round_(x, n):
        # What formatting does is exact; Monty scales, and is off by one digit now and then.
        if type(x) is float and type(n) is int and 0 <= n < 300 and abs(x) < 1e300:
            return float(f'{x:.{n}f}')
        return round(x, n)
    return round_
_rlm_round = _rlm_load(type, float, int, round, abs)
