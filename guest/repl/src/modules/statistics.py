def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import math, random
    from collections import namedtuple
    from decimal import Decimal
    tuple, hashed = type(()), hash
    StatisticsError = _rlm_failure('statistics', 'StatisticsError', ValueError)
    def given(data, name, least=1):
        xs = [*data]
        if len(xs) < least:
            what = 'one data point' if least == 1 else 'two data points'
            raise StatisticsError(f'{name} requires at least {what}')
        return xs
    # All is reckoned in whole numbers and rounded once, at the end.
    def ratio(x):
        if isinstance(x, int):
            return int(x), 1
        if isinstance(x, float):
            fraction, exponent = math.frexp(x)
            whole, exponent = int(fraction * 2 ** 53), exponent - 53
            return (whole << exponent, 1) if exponent >= 0 else (whole, 1 << -exponent)
        if hasattr(x, 'numerator'):
            return x.numerator, x.denominator
        try:
            return x.as_integer_ratio()
        except AttributeError:
            raise TypeError(f"can't convert type '{type(x).__name__}' to numerator/denominator") from None
    def scaled(xs):
        # What they are over one denominator, and that.
        pairs = [ratio(x) for x in xs]
        bottom = 1
        for _, d in pairs:
            bottom = bottom if bottom % d == 0 else math.lcm(bottom, d)
        return [n * (bottom // d) for n, d in pairs], bottom
    def kind(xs):
        found = int
        for x in xs:
            if isinstance(x, int) or type(x) is found:
                continue
            if found is int or isinstance(x, float) and found is not Decimal:
                found = type(x)
            elif found is not float or type(x) is Decimal:
                raise TypeError(f"don't know how to coerce {found.__name__} and {type(x).__name__}")
        return found
    def strange(xs):
        # What infinities and no-numbers give, if there are any.
        odd = [x for x in xs if isinstance(x, float) and x - x != 0]
        return sum(odd) if odd else None
    def quotient(n, d, of):
        if of is int:
            return n // d if n % d == 0 else n / d
        if of is float:
            return n / d
        common = math.gcd(n, d)
        n, d = n // common, d // common
        return Decimal(n) / Decimal(d) if of is Decimal else of(n, d)
    def bits(n):
        return len(f'{n:b}')
    def root(n, d, of):
        if of is Decimal:
            return decimal_root(n, d)
        if n == 0:
            return 0.0
        shift = (bits(n) - bits(d) - 109) // 2
        if shift >= 0:
            d = d << 2 * shift
        else:
            n = n << -2 * shift
        a = math.isqrt(n // d)
        a = a | (a * a * d != n)
        return (a << shift) / 1 if shift >= 0 else a / (1 << -shift)
    def decimal_root(n, d):
        if n == 0:
            return Decimal('0.0')
        common = math.gcd(n, d)
        n, d = n // common, d // common
        found = (Decimal(n) / Decimal(d)).sqrt()
        a, b = found.as_integer_ratio()
        above, below = found.next_plus(), found.next_minus()
        p, q = above.as_integer_ratio()
        if 4 * n * (b * q) ** 2 > d * (b * p + q * a) ** 2:
            return above
        p, q = below.as_integer_ratio()
        return below if 4 * n * (b * q) ** 2 < d * (b * p + q * a) ** 2 else found
    def mean(data):
        xs = given(data, 'mean')
        of, odd = kind(xs), strange(xs)
        if odd is not None:
            return odd / len(xs)
        ns, bottom = scaled(xs)
        return quotient(sum(ns), bottom * len(xs), of)
    def fmean(data, weights=None):
        xs = given(data, 'fmean')
        if weights is None:
            return math.fsum(xs) / len(xs)
        ws = [*weights]
        if len(ws) != len(xs):
            raise StatisticsError('data and weights must be the same length')
        if math.fsum(ws) == 0:
            raise StatisticsError('sum of weights must be non-zero')
        return math.fsum([x * w for x, w in zip(xs, ws)]) / math.fsum(ws)
    def geometric_mean(data):
        xs = given(data, 'geometric_mean')
        if any(x < 0 for x in xs):
            raise StatisticsError('No negative inputs allowed')
        if any(x == 0 for x in xs):
            return 0.0
        return math.exp(math.fsum([math.log(x) for x in xs]) / len(xs))
    def harmonic_mean(data, weights=None):
        xs = given(data, 'harmonic_mean')
        ws = [1] * len(xs) if weights is None else [*weights]
        if len(ws) != len(xs):
            raise StatisticsError('Number of weights does not match data size')
        if any(x < 0 for x in xs) or any(w < 0 for w in ws):
            raise StatisticsError('harmonic mean does not support negative values')
        if len(xs) == 1 and weights is None:
            return xs[0]
        if any(x == 0 and w for x, w in zip(xs, ws)):
            return 0
        parts = [w / x if w else 0 for x, w in zip(xs, ws)]
        odd = strange(parts)
        if odd is not None:
            return sum(ws) / odd
        (ns, bottom), (ms, other) = scaled(parts), scaled(ws)
        if sum(ns) <= 0:
            raise StatisticsError('Weighted sum must be positive')
        return quotient(sum(ms) * bottom, other * sum(ns), kind(parts))
    def ordered(data):
        xs = sorted(data)
        if not xs:
            raise StatisticsError('no median for empty data')
        return xs
    def median(data):
        xs = ordered(data)
        half = len(xs) // 2
        if len(xs) % 2:
            return xs[half]
        return (xs[half - 1] + xs[half]) / 2
    def median_low(data):
        xs = ordered(data)
        return xs[(len(xs) - 1) // 2]
    def median_high(data):
        xs = ordered(data)
        return xs[len(xs) // 2]
    def median_grouped(data, interval=1.0):
        xs = ordered(data)
        x = xs[len(xs) // 2]
        before, same = len([y for y in xs if y < x]), xs.count(x)
        interval = float(interval)
        return float(x) - interval / 2.0 + interval * (len(xs) / 2 - before) / same
    def tally(xs):
        counts = {}
        for x in xs:
            counts[x] = counts.get(x, 0) + 1
        return counts
    def mode(data):
        counts = tally(data)
        if not counts:
            raise StatisticsError('no mode for empty data')
        most = max(counts.values())
        for x, count in counts.items():
            if count == most:
                return x
    def multimode(data):
        counts = tally(data)
        most = max(counts.values(), default=0)
        return [x for x, count in counts.items() if count == most]
    def spread(xs, center, count):
        # The squares of what is between each and the center, summed, by `count`.
        odd = strange(xs)
        if odd is not None:
            return odd, 0, float
        if center is not None:
            squares = [(x - center) * (x - center) for x in xs]
            ns, bottom = scaled(squares)
            return sum(ns), bottom * count, kind(squares)
        ns, bottom = scaled(xs)
        top = len(ns) * sum([n * n for n in ns]) - sum(ns) ** 2
        return top, bottom * bottom * len(ns) * count, kind(xs)
    def even(parts):
        return quotient(*parts) if parts[1] else parts[0]
    def rooted(parts):
        return root(*parts) if parts[1] else math.sqrt(parts[0])
    def variance(data, xbar=None):
        xs = given(data, 'variance', 2)
        return even(spread(xs, xbar, len(xs) - 1))
    def pvariance(data, mu=None):
        xs = given(data, 'pvariance')
        return even(spread(xs, mu, len(xs)))
    def stdev(data, xbar=None):
        xs = given(data, 'stdev', 2)
        return rooted(spread(xs, xbar, len(xs) - 1))
    def pstdev(data, mu=None):
        xs = given(data, 'pstdev')
        return rooted(spread(xs, mu, len(xs)))
    def quantiles(data, *, n=4, method='exclusive'):
        if n < 1:
            raise StatisticsError('n must be at least 1')
        xs = sorted(data)
        count = len(xs)
        if count < 2:
            if count == 1:
                return xs * (n - 1)
            raise StatisticsError('must have at least one data point')
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
            raise StatisticsError(f'{name} requires that both inputs have same number of data points')
        if len(xs) < 2:
            raise StatisticsError(f'{name} requires at least two data points')
        return xs, ys
    def products(xs, ys):
        return math.fsum([x * y for x, y in zip(xs, ys)])
    def centered(xs):
        center = math.fsum(xs) / len(xs)
        return center, [x - center for x in xs]
    def covariance(x, y, /):
        xs, ys = paired(x, y, 'covariance')
        return products(centered(xs)[1], centered(ys)[1]) / (len(xs) - 1)
    def correlation(x, y, /, *, method='linear'):
        if method not in ('linear', 'ranked'):
            raise ValueError(f'Unknown method: {method!r}')
        xs, ys = paired(x, y, 'correlation')
        if method == 'ranked':
            xs, ys = ranks(xs), ranks(ys)
        xs, ys = centered(xs)[1], centered(ys)[1]
        top, bottom = products(xs, ys), math.sqrt(products(xs, xs) * products(ys, ys))
        if bottom == 0:
            raise StatisticsError('at least one of the inputs is constant')
        return top / bottom
    def ranks(xs):
        order = sorted(xs)
        return [order.index(x) + (order.count(x) + 1) / 2 for x in xs]
    LinearRegression = namedtuple('LinearRegression', ('slope', 'intercept'))
    def linear_regression(x, y, /, *, proportional=False):
        xs, ys = paired(x, y, 'linear regression')
        x_center = y_center = 0.0
        if not proportional:
            x_center, xs = centered(xs)
            y_center, ys = centered(ys)
        below = products(xs, xs)
        if below == 0:
            raise StatisticsError('x is constant')
        slope = products(xs, ys) / below
        return LinearRegression(slope, 0.0 if proportional else y_center - slope * x_center)
    # Wichura's polynomials, algorithm AS241: near the middle, further out, and far out.
    wichura = (
        (2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4, 4.5921953931549871457e+4,
         1.3731693765509461125e+4, 1.9715909503065514427e+3, 1.3314166789178437745e+2, 3.3871328727963666080e+0),
        (5.2264952788528545610e+3, 2.8729085735721942674e+4, 3.9307895800092710610e+4, 2.1213794301586595867e+4,
         5.3941960214247511077e+3, 6.8718700749205790830e+2, 4.2313330701600911252e+1, 1.0),
        (7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e+0,
         3.64784832476320460504e+0, 5.76949722146069140550e+0, 4.63033784615654529590e+0, 1.42343711074968357734e+0),
        (1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
         6.89767334985100004550e-1, 1.67638483018380384940e+0, 2.05319162663775882187e+0, 1.0),
        (2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
         2.96560571828504891230e-1, 1.78482653991729133580e+0, 5.46378491116411436990e+0, 6.65790464350110377720e+0),
        (2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
         1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1.0),
    )
    def poly(which, r):
        x = 0.0
        for c in wichura[which]:
            x = x * r + c
        return x
    def inverse(p):
        q = p - 0.5
        if abs(q) <= 0.425:
            r = 0.180625 - q * q
            return poly(0, r) * q / poly(1, r)
        r = math.sqrt(-math.log(p if q <= 0.0 else 1.0 - p))
        x = poly(2, r - 1.6) / poly(3, r - 1.6) if r <= 5.0 else poly(4, r - 5.0) / poly(5, r - 5.0)
        return -x if q < 0.0 else x
    def checked(self, name):
        if not self.stdev:
            raise StatisticsError(f'{name}() not defined when sigma is zero')
    half_root = math.sqrt(2.0)
    class NormalDist:
        def __init__(self, mu=0.0, sigma=1.0):
            if sigma < 0.0:
                raise StatisticsError('sigma must be non-negative')
            self.mean = self.median = self.mode = float(mu)
            self.stdev = float(sigma)
            self.variance = self.stdev * self.stdev
        def samples(self, n, *, seed=None):
            source = random if seed is None else random.Random(seed)
            return [source.gauss(self.mean, self.stdev) for _ in range(n)]
        def pdf(self, x):
            checked(self, 'pdf')
            diff = x - self.mean
            return math.exp(diff * diff / (-2.0 * self.variance)) / math.sqrt(math.tau * self.variance)
        def cdf(self, x):
            checked(self, 'cdf')
            return 0.5 * (1.0 + math.erf((x - self.mean) / (self.stdev * half_root)))
        def inv_cdf(self, p):
            if p <= 0.0 or p >= 1.0:
                raise StatisticsError('p must be in the range 0.0 < p < 1.0')
            return self.mean + inverse(p) * self.stdev
        def quantiles(self, n=4):
            return [self.inv_cdf(i / n) for i in range(1, n)]
        def overlap(self, other):
            if not isinstance(other, NormalDist):
                raise TypeError('Expected another NormalDist instance')
            x, y = self, other
            if (y.stdev, y.mean) < (x.stdev, x.mean):
                x, y = y, x
            checked(x, 'overlap')
            checked(y, 'overlap')
            dv, dm = y.variance - x.variance, abs(y.mean - x.mean)
            if not dv:
                return 1.0 - math.erf(dm / (2.0 * x.stdev * half_root))
            a = x.mean * y.variance - y.mean * x.variance
            b = x.stdev * y.stdev * math.sqrt(dm * dm + dv * math.log(y.variance / x.variance))
            x1, x2 = (a + b) / dv, (a - b) / dv
            return 1.0 - (abs(y.cdf(x1) - x.cdf(x1)) + abs(y.cdf(x2) - x.cdf(x2)))
        def zscore(self, x):
            checked(self, 'zscore')
            return (x - self.mean) / self.stdev
        def __add__(self, other):
            if isinstance(other, NormalDist):
                return NormalDist(self.mean + other.mean, math.hypot(self.stdev, other.stdev))
            return NormalDist(self.mean + other, self.stdev)
        def __radd__(self, other):
            return self + other
        def __sub__(self, other):
            if isinstance(other, NormalDist):
                return NormalDist(self.mean - other.mean, math.hypot(self.stdev, other.stdev))
            return NormalDist(self.mean - other, self.stdev)
        def __rsub__(self, other):
            return -(self - other)
        def __mul__(self, other):
            return NormalDist(self.mean * other, self.stdev * abs(other))
        def __rmul__(self, other):
            return self * other
        def __truediv__(self, other):
            return NormalDist(self.mean / other, self.stdev / abs(other))
        def __neg__(self):
            return NormalDist(-self.mean, self.stdev)
        def __pos__(self):
            return NormalDist(self.mean, self.stdev)
        def __eq__(self, other):
            if not isinstance(other, NormalDist):
                return NotImplemented
            return self.mean == other.mean and self.stdev == other.stdev
        def __hash__(self):
            return hashed((self.mean, self.stdev))
        def __repr__(self):
            return f'NormalDist(mu={self.mean!r}, sigma={self.stdev!r})'
    def from_samples(data):
        xs = given(data, 'stdev', 2)
        return NormalDist(float(mean(xs)), float(stdev(xs)))
    setattr(NormalDist, 'from_samples', from_samples)
    return _rlm_Module('statistics', {
        'mean': mean, 'fmean': fmean, 'geometric_mean': geometric_mean, 'harmonic_mean': harmonic_mean,
        'median': median, 'median_low': median_low, 'median_high': median_high, 'median_grouped': median_grouped, 'mode': mode,
        'multimode': multimode, 'variance': variance, 'pvariance': pvariance, 'stdev': stdev, 'pstdev': pstdev,
        'quantiles': quantiles, 'covariance': covariance, 'correlation': correlation, 'linear_regression': linear_regression,
        'LinearRegression': LinearRegression, 'NormalDist': NormalDist, 'StatisticsError': StatisticsError,
    })
_rlm_module_statistics = _rlm_load(*_rlm_kit['builtins'])
