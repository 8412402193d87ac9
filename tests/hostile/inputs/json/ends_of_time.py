# Days, moments and spans at the ends of time, and formats that make them long
import datetime as dt, time, calendar
D, T, Z, S = dt.date, dt.datetime, dt.timezone, dt.timedelta
def go(f):
    try:
        print(str(f())[:60])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
for f in (
    lambda: D.max + S(1), lambda: D.min - S(1), lambda: T.max + S.resolution, lambda: S.max + S.max, lambda: -S.min, lambda: S.min // -1, lambda: S.max * 10 ** 30, lambda: S(10 ** 30), lambda: S(days=1e300), lambda: S(microseconds=2 ** 70), lambda: S(1) / 5e-324, lambda: S.max / S.resolution, lambda: divmod(S.min, -S.resolution),
    lambda: S(float('nan')), lambda: S(weeks=-10 ** 9), lambda: S.min % S(microseconds=-1), lambda: abs(S.min), lambda: T.fromtimestamp(1e18), lambda: T.fromtimestamp(-1e300), lambda: T.fromtimestamp(float('nan')), lambda: T.max.timestamp(), lambda: T.min.astimezone(Z(S(hours=23))), lambda: T.max.astimezone(Z(-S(hours=23))), lambda: T.min.replace(tzinfo=Z(S(hours=23))) < T.max.replace(tzinfo=Z.utc),
    lambda: Z(S(days=1)), lambda: Z(S(0), 'x' * 999_999), lambda: D(1, 1, 1).isocalendar(), lambda: D.fromisocalendar(9999, 53, 7), lambda: D.fromisocalendar(1, 1, -9), lambda: D.fromordinal(0), lambda: T.fromisoformat('2020-01-01T' + '0' * 99_999), lambda: T.strptime('1' * 9999, '%Y' * 99), lambda: T.strptime('1' * 99, ' ' * 99 + '%d'),
    lambda: len(T.now().strftime('%A%B%c' * 99_999)), lambda: T.now().strftime('%'), lambda: T.now().strftime('%-é%\ud800%\x00%Q'), lambda: f'{T.now():{"%" * 99_999}}', lambda: hash(T.max) - hash(D.min), lambda: calendar.monthcalendar(10 ** 9, 2), lambda: len(calendar.calendar(9999, 2 ** 31)), lambda: time.sleep(-1), lambda: time.sleep(float('inf')), lambda: time.sleep(10 ** 9),
    lambda: [T.min + S(i) for i in range(10 ** 7)], lambda: [(time.sleep(1e5), T.now())[1] for i in range(10 ** 6)],
):
    go(f)
T.max
