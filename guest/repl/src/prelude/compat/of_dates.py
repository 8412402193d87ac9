# What dates lack; see `compat/methods.rs`.
def _rlm_load(type, int, float, len, range, iter, hash, round, extras, statics):
    import datetime, time, math, re
    utc = datetime.timezone.utc
    days = ('Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun')
    months = ('Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec')
    class IsoCalendarDate:
        def __init__(self, year, week, weekday):
            self.year = year
            self.week = week
            self.weekday = weekday
            self._all = (year, week, weekday)
        def __getitem__(self, i):
            return self._all[i]
        def __iter__(self):
            return iter(self._all)
        def __len__(self):
            return 3
        def __eq__(self, other):
            return self._all == (other._all if type(other) is IsoCalendarDate else other)
        def __hash__(self):
            return hash(self._all)
        def __repr__(self):
            return f'datetime.IsoCalendarDate(year={self.year}, week={self.week}, weekday={self.weekday})'
    def ordinal(d):
        return (datetime.date(d.year, d.month, d.day) - datetime.date(1, 1, 1)).days + 1
    def from_ordinal(n):
        if n < 1:
            raise ValueError('ordinal must be >= 1')
        return datetime.date(1, 1, 1) + datetime.timedelta(n - 1)
    def first_week(year):
        # The ordinal of the Monday that it begins with.
        first = ordinal(datetime.date(year, 1, 1))
        weekday = (first + 6) % 7
        return first - weekday + (7 if weekday > 3 else 0)
    def week_of(d):
        n = ordinal(d)
        year = d.year
        week = (n - first_week(year)) // 7
        if week < 0:
            year -= 1
            week = (n - first_week(year)) // 7
        elif week >= 52 and year < 9999 and n >= first_week(year + 1):
            year += 1
            week = 0
        return IsoCalendarDate(year, week + 1, (n + 6) % 7 + 1)
    def from_week(year, week, day):
        if not 1 <= year <= 9999:
            raise ValueError(f'Year is out of range: {year}')
        if not 0 < week < 54 or week == 53 and week_of(datetime.date(year, 12, 28)).week < 53:
            raise ValueError(f'Invalid week: {week}')
        if not 0 < day < 8:
            raise ValueError(f'Invalid weekday: {day} (range is [1, 7])')
        return from_ordinal(first_week(year) + 7 * (week - 1) + day - 1)
    def at_midnight(d):
        return datetime.datetime(d.year, d.month, d.day)
    def from_stamp(stamp, tz=None):
        try:
            if type(stamp) is float:
                # To the nearest microsecond, and to the even one of two.
                whole = math.floor(stamp)
                later = datetime.timedelta(seconds=whole, microseconds=round((stamp - whole) * 1e6))
            else:
                later = datetime.timedelta(seconds=stamp)
            at = datetime.datetime(1970, 1, 1, tzinfo=utc) + later
        except OverflowError:
            raise ValueError(f'the time {stamp} is out of range; a timestamp is in seconds') from None
        return at.astimezone().replace(tzinfo=None) if tz is None else at.astimezone(tz)
    def clock(d):
        return (d.hour, d.minute, d.second) if type(d) is datetime.datetime else (0, 0, 0)
    def ctime(d):
        h, m, s = clock(d)
        return f'{days[d.weekday()]} {months[d.month - 1]} {d.day:2d} {h:02d}:{m:02d}:{s:02d} {d.year:04d}'
    def time_tuple(d):
        h, m, s = clock(d)
        return time.strptime(f'{d.year:04d}-{d.month:02d}-{d.day:02d} {h:02d}:{m:02d}:{s:02d}', '%Y-%m-%d %H:%M:%S')
    def utc_time_tuple(d):
        if d.tzinfo is not None:
            d = d.astimezone(utc).replace(tzinfo=None)
        return time.gmtime((d - datetime.datetime(1970, 1, 1)).days * 86400 + (d - datetime.datetime(1970, 1, 1)).seconds)
    digits = {'d': '(3[01]|[12][0-9]|0[1-9]|[1-9])', 'm': '(?:1[0-2]|0[1-9]|[1-9])', 'Y': '[0-9]{4}', 'y': '[0-9]{2}', 'H': '[0-9]{1,2}', 'M': '[0-9]{1,2}', 'S': '[0-9]{1,2}'}
    every = {'d': '[0-9]{1,2}', 'm': '[0-9]{1,2}', 'Y': '[0-9]{4}', 'y': '[0-9]{2}', 'H': '[0-9]{1,2}', 'M': '[0-9]{1,2}', 'S': '[0-9]{1,2}'}
    def parsed(text, form):
        try:
            return datetime.datetime.strptime(text, form)
        except ValueError as error:
            # Monty wants all of a date, and does not say what is wrong with it.
            wrong = error
        if form.count('%f') == 1 and '.%f' not in form:
            # It takes parts of seconds after a point only.
            shape = re.escape(form)
            for directive in shape.split('%')[1:]:
                shape = shape.replace('%' + directive[:1], '([0-9]{1,6})' if directive[0] == 'f' else f'(?:{every[directive[0]]})' if directive[0] in every else '.+?')
            part = re.fullmatch(shape, text)
            if part is not None:
                micro = int(f'{part.group(1):0<6}')
                return parsed(text[:part.start(1)] + text[part.end(1):], form.replace('%f', '')).replace(microsecond=micro)
        # A day that the month has not.
        shape = re.escape(form)
        for directive in shape.split('%')[1:]:
            shape = shape.replace('%' + directive[:1], digits.get(directive[:1], '.+?'))
        day = re.fullmatch(shape, text)
        if day is not None and form.count('%d') == 1:
            try:
                datetime.datetime.strptime(text[:day.start(1)] + '01' + text[day.end(1):], form)
            except ValueError:
                pass
            else:
                raise ValueError('day is out of range for month')
        given = form
        more = ''
        for others, directive, default in ((('%Y', '%y', '%G', '%c', '%x'), '%Y', '1900'), (('%m', '%b', '%B', '%j', '%V', '%c', '%x'), '%m', '01'), (('%d', '%j', '%V', '%c', '%x'), '%d', '01')):
            if not [d for d in others if d in given]:
                more += ' ' + default
                form += ' ' + directive
        for end in range(len(text), 0, -1):
            try:
                found = datetime.datetime.strptime(text[:end] + more, form)
            except ValueError:
                continue
            if end == len(text):
                return found
            raise ValueError(f'unconverted data remains: {text[end:]}')
        raise wrong
    dates = {'toordinal': ordinal, 'isocalendar': week_of, 'ctime': ctime, 'timetuple': time_tuple}
    times = {'utctimetuple': utc_time_tuple}
    days_from = {'fromordinal': from_ordinal, 'fromtimestamp': lambda stamp: from_stamp(stamp).date(), 'fromisocalendar': from_week}
    moments = {
        'fromordinal': lambda n: at_midnight(from_ordinal(n)), 'fromtimestamp': from_stamp, 'utcfromtimestamp': lambda stamp: from_stamp(stamp, utc).replace(tzinfo=None),
        'utcnow': lambda: datetime.datetime.now(utc).replace(tzinfo=None), 'today': lambda: datetime.datetime.now(), 'strptime': parsed,
        'fromisocalendar': lambda *week: at_midnight(from_week(*week)), 'combine': lambda *parts: datetime.datetime.combine(*parts),
    }
    extras['date'].update(dates)
    extras['datetime'].update({**dates, **times})
    statics['date'].update(days_from)
    statics['datetime'].update(moments)
_rlm_load(type, int, float, len, range, iter, hash, round, _rlm_extras, _rlm_statics)
