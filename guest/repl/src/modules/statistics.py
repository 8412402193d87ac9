def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import math
    def given(data, name, least=1):
        xs = [*data]
        if name in ('median', 'mode') and not xs:
            raise ValueError(f'no {name} for empty data')
        if len(xs) < least:
            what = 'one data point' if least == 1 else 'two data points'
            raise ValueError(f'{name} requires at least {what}')
        return xs
    def total(xs):
        return math.fsum(xs) if any(isinstance(x, float) for x in xs) else sum(xs)
    def ratio(sum_, count, xs):
        if all(isinstance(x, int) for x in xs) and sum_ % count == 0:
            return sum_ // count
        if not isinstance(sum_, float) or sum_ in (math.inf, -math.inf) or sum_ != sum_:
            return sum_ / count
        # What rounding lost of the sum and of the quotient is given back.
        lost = math.fsum([*xs, -sum_])
        quotient = sum_ / count
        return quotient + (math.fma(-quotient, count, sum_) + lost) / count
    def mean(data):
        xs = given(data, 'mean')
        return ratio(total(xs), len(xs), xs)
    def fmean(data, weights=None):
        xs = given(data, 'fmean')
        if weights is None:
            return math.fsum(xs) / len(xs)
        ws = [*weights]
        if len(ws) != len(xs):
            raise ValueError('data and weights must be the same length')
        if math.fsum(ws) == 0:
            raise ValueError('sum of weights must be non-zero')
        return math.fsum([x * w for x, w in zip(xs, ws)]) / math.fsum(ws)
    def geometric_mean(data):
        xs = given(data, 'geometric_mean')
        if any(x < 0 for x in xs):
            raise ValueError('No negative inputs allowed')
        if any(x == 0 for x in xs):
            return 0.0
        return math.exp(math.fsum([math.log(x) for x in xs]) / len(xs))
    def harmonic_mean(data, weights=None):
        xs = given(data, 'harmonic_mean')
        ws = [1] * len(xs) if weights is None else [*weights]
        if any(x < 0 for x in xs):
            raise ValueError('harmonic mean does not support negative values')
        if any(x == 0 for x in xs):
            return 0
        return sum(ws) / math.fsum([w / x for x, w in zip(xs, ws)])
    def median(data):
        xs = sorted(given(data, 'median'))
        half = len(xs) // 2
        if len(xs) % 2:
            return xs[half]
        return (xs[half - 1] + xs[half]) / 2
    def median_low(data):
        xs = sorted(given(data, 'median'))
        return xs[(len(xs) - 1) // 2]
    def median_high(data):
        xs = sorted(given(data, 'median'))
        return xs[len(xs) // 2]
    def tally(xs):
        counts = {}
        for x in xs:
            counts[x] = counts.get(x, 0) + 1
        return counts
    def mode(data):
        counts = tally(given(data, 'mode'))
        most = max(counts.values())
        for x, count in counts.items():
            if count == most:
                return x
    def multimode(data):
        counts = tally(data)
        most = max(counts.values(), default=0)
        return [x for x, count in counts.items() if count == most]
    def bits(n):
        return len(bin(n)) - 2
    def exact(xs):
        # The squares of the distances from the mean add up to top / (bottom * count).
        parts = [math.frexp(x) for x in xs]
        low = min([e for m, e in parts if m], default=0) - 53
        whole = [int(m * 2 ** 53) * 2 ** (e - 53 - low) if m else 0 for m, e in parts]
        top = len(xs) * sum([n * n for n in whole]) - sum(whole) ** 2
        return (top * 4 ** low, 1) if low >= 0 else (top, 4 ** -low)
    def rooted(top, bottom):
        # What is lost of the root shows in its last bit, and so it is rounded rightly.
        if not top:
            return 0.0
        q = (bits(top) - bits(bottom) - 109) // 2
        if q >= 0:
            bottom = bottom * 4 ** q
        else:
            top = top * 4 ** -q
        r = math.isqrt(top // bottom)
        return math.ldexp(float(r if r * r * bottom == top else r | 1), q)
    def divided(top, bottom):
        if not top:
            return 0.0
        q = bits(top) - bits(bottom) - 60
        if q >= 0:
            bottom = bottom * 2 ** q
        else:
            top = top * 2 ** -q
        r, rest = divmod(top, bottom)
        return math.ldexp(float(r | 1 if rest else r), q)
    def plain(xs, center):
        return center is None and all(isinstance(x, (int, float)) and -1e15 < x < 1e15 for x in xs)
    def squares(xs, center):
        if not any(isinstance(x, float) for x in xs) and not all(isinstance(x, int) for x in xs):
            # Decimals stay what they are.
            center = sum(xs) / len(xs) if center is None else center
            return sum([(x - center) ** 2 for x in xs])
        if center is not None:
            return math.fsum([(x - center) ** 2 for x in xs])
        if all(isinstance(x, int) for x in xs):
            count = len(xs)
            return (count * sum([x * x for x in xs]) - sum(xs) ** 2) / count
        center = math.fsum(xs) / len(xs)
        return math.fsum([(x - center) ** 2 for x in xs]) - math.fsum([x - center for x in xs]) ** 2 / len(xs)
    def spread(xs, center, count):
        all_whole = center is None and all(isinstance(x, int) for x in xs)
        if all_whole:
            top = len(xs) * sum([x * x for x in xs]) - sum(xs) ** 2
            bottom = len(xs) * count
            return top // bottom if top % bottom == 0 else top / bottom
        if plain(xs, center):
            top, bottom = exact(xs)
            return divided(top, bottom * len(xs) * count)
        return squares(xs, center) / count
    def root(x):
        return math.sqrt(x) if isinstance(x, (int, float)) else x.sqrt()
    def variance(data, xbar=None):
        xs = given(data, 'variance', 2)
        return spread(xs, xbar, len(xs) - 1)
    def pvariance(data, mu=None):
        xs = given(data, 'pvariance')
        return spread(xs, mu, len(xs))
    def stdev(data, xbar=None):
        xs = given(data, 'stdev', 2)
        if plain(xs, xbar):
            top, bottom = exact(xs)
            return rooted(top, bottom * len(xs) * (len(xs) - 1))
        return root(spread(xs, xbar, len(xs) - 1))
    def pstdev(data, mu=None):
        xs = given(data, 'pstdev')
        if plain(xs, mu):
            top, bottom = exact(xs)
            return rooted(top, bottom * len(xs) ** 2)
        return root(spread(xs, mu, len(xs)))
    def quantiles(data, *, n=4, method='exclusive'):
        if n < 1:
            raise ValueError('n must be at least 1')
        xs = sorted(data)
        count = len(xs)
        if count < 2:
            if count == 1:
                return xs * (n - 1)
            raise ValueError('must have at least one data point')
        cuts = []
        if method == 'inclusive':
            for i in range(1, n):
                j, delta = divmod(i * (count - 1), n)
                cuts.append((xs[j] * (n - delta) + xs[j + 1] * delta) / n)
            return cuts
        if method != 'exclusive':
            raise ValueError(f'Unknown method: {method!r}')
        for i in range(1, n):
            j = i * (count + 1) // n
            j = 1 if j < 1 else count - 1 if j > count - 1 else j
            delta = i * (count + 1) - j * n
            cuts.append((xs[j - 1] * (n - delta) + xs[j] * delta) / n)
        return cuts
    def paired(x, y, name):
        xs, ys = [*x], [*y]
        if len(xs) != len(ys):
            raise ValueError(f'{name} requires that both inputs have same number of data points')
        if len(xs) < 2:
            raise ValueError(f'{name} requires at least two data points')
        mx, my = math.fsum(xs) / len(xs), math.fsum(ys) / len(ys)
        sxy = math.fsum([(a - mx) * (b - my) for a, b in zip(xs, ys)])
        return xs, ys, mx, my, sxy
    def covariance(x, y, /):
        xs, ys, mx, my, sxy = paired(x, y, 'covariance')
        return sxy / (len(xs) - 1)
    def correlation(x, y, /):
        xs, ys, mx, my, sxy = paired(x, y, 'correlation')
        sxx = math.fsum([(a - mx) ** 2 for a in xs])
        syy = math.fsum([(b - my) ** 2 for b in ys])
        if sxx == 0 or syy == 0:
            raise ValueError('at least one of the inputs is constant')
        return sxy / math.sqrt(sxx * syy)
    return _rlm_Module('statistics', {
        'mean': mean, 'fmean': fmean, 'geometric_mean': geometric_mean, 'harmonic_mean': harmonic_mean,
        'median': median, 'median_low': median_low, 'median_high': median_high, 'mode': mode,
        'multimode': multimode, 'variance': variance, 'pvariance': pvariance, 'stdev': stdev, 'pstdev': pstdev,
        'quantiles': quantiles, 'covariance': covariance, 'correlation': correlation, 'StatisticsError': ValueError,
    })
_rlm_module_statistics = _rlm_load(*_rlm_kit['builtins'])
