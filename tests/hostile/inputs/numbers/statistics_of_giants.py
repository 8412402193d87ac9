# Means, medians and deviations of what has no mean
import statistics as st
from fractions import Fraction
from decimal import Decimal
def go(f):
    try:
        print(str(f())[:40])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
sets = ([1e308] * 9, [float('inf'), -float('inf')], [float('nan')] * 9, [10 ** 400, 1], [Fraction(1, 3), Decimal(1)], [5e-324] * 9, [], ['a', 1], [True, False, 2 ** 2000], [Fraction(1, 7 ** 900), 7 ** 900])
for name in 'mean fmean median median_low median_grouped mode multimode stdev pstdev variance pvariance harmonic_mean geometric_mean quantiles'.split():
    for xs in sets:
        go(lambda: getattr(st, name)(xs))
go(lambda: st.NormalDist(1e308, 1e308).cdf(-1e308))
go(lambda: st.NormalDist(0, 5e-324).inv_cdf(0.5))
go(lambda: st.correlation([1e308] * 3, [1, 2, 3]))
go(lambda: st.linear_regression(range(9), [1e308] * 9))
go(lambda: len(st.quantiles([1, 2], n=1_000_000)))
st.pvariance([Fraction(1, n) for n in range(1, 3000)])
