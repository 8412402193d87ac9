def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    from datetime import date, timedelta
    tuple = type(())
    class Names:
        # All scripts of a session share them.
        def __init__(self, names):
            self._names = (*names,)
            self._frozen = True
        def __getitem__(self, at):
            found = self._names[at]
            return found if isinstance(at, int) else [*found]
        def __len__(self):
            return len(self._names)
        def __iter__(self):
            return iter(self._names)
    day_name = Names('Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split())
    month_name = Names(' January February March April May June July August September October November December'.split(' '))
    day_abbr = Names([name[:3] for name in day_name])
    month_abbr = Names([name[:3] for name in month_name])
    lengths = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    def isleap(year):
        return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    def leapdays(y1, y2):
        y1 -= 1
        y2 -= 1
        return (y2 // 4 - y1 // 4) - (y2 // 100 - y1 // 100) + (y2 // 400 - y1 // 400)
    def weekday(year, month, day):
        return date(year if 1 <= year <= 9999 else 2000 + year % 400, month, day).weekday()
    def monthrange(year, month):
        if not 1 <= month <= 12:
            raise ValueError(f'bad month number {month!r}; must be 1-12')
        return weekday(year, month, 1), lengths[month] + (month == 2 and isleap(year))
    def timegm(tuple):
        year, month, day, hour, minute, second = [tuple[i] for i in range(6)]
        days = (date(year, month, 1) - date(1970, 1, 1)).days + day - 1
        return ((days * 24 + hour) * 60 + minute) * 60 + second
    def weeks(days):
        return [days[i:i + 7] for i in range(0, len(days), 7)]
    class Calendar:
        def __init__(self, firstweekday=0):
            self.firstweekday = firstweekday
        def getfirstweekday(self):
            return self.firstweekday % 7
        def setfirstweekday(self, firstweekday):
            self.firstweekday = firstweekday
        def iterweekdays(self):
            return iter([(self.firstweekday + i) % 7 for i in range(7)])
        def _days(self, year, month):
            first, count = monthrange(year, month)
            days = [0] * ((first - self.firstweekday) % 7) + [*range(1, count + 1)]
            return days + [0] * (-len(days) % 7)
        def _dates(self, year, month):
            first, count = monthrange(year, month)
            before = (first - self.firstweekday) % 7
            start = date(year, month, 1)
            return [start + timedelta(days=i) for i in range(-before, len(self._days(year, month)) - before)]
        def itermonthdays(self, year, month):
            return iter(self._days(year, month))
        def itermonthdays2(self, year, month):
            return iter([(day, (self.firstweekday + i) % 7) for i, day in enumerate(self._days(year, month))])
        def itermonthdates(self, year, month):
            return iter(self._dates(year, month))
        def monthdayscalendar(self, year, month):
            return weeks(self._days(year, month))
        def monthdays2calendar(self, year, month):
            return weeks([*self.itermonthdays2(year, month)])
        def monthdatescalendar(self, year, month):
            return weeks(self._dates(year, month))
        def formatweekheader(self, width):
            names = day_name if width >= 9 else day_abbr
            return ' '.join([names[i][:width].center(width) for i in self.iterweekdays()])
        def formatmonth(self, theyear, themonth, w=0, l=0):
            w = max(2, w)
            end = '\n' * max(1, l)
            lines = [f'{month_name[themonth]} {theyear!r}'.center(7 * (w + 1) - 1), self.formatweekheader(w)]
            for week in self.monthdayscalendar(theyear, themonth):
                lines.append(' '.join([(f'{day:2}' if day else '').center(w) for day in week]))
            return ''.join([line.rstrip() + end for line in lines])
        def prmonth(self, theyear, themonth, w=0, l=0):
            print(self.formatmonth(theyear, themonth, w, l), end='')
    # All scripts of the session share it: it takes no attributes but the one that is set here.
    day = [0]
    class Shared(Calendar):
        @property
        def firstweekday(self):
            return day[0]
        @firstweekday.setter
        def firstweekday(self, firstweekday):
            pass
    shared = Shared()
    shared._frozen = True
    def setfirstweekday(firstweekday):
        if not 0 <= firstweekday <= 6:
            raise ValueError(f'bad weekday number {firstweekday!r}; must be 0 (Monday) to 6 (Sunday)')
        day[0] = firstweekday
    members = {
        'isleap': isleap, 'leapdays': leapdays, 'weekday': weekday, 'monthrange': monthrange, 'timegm': timegm,
        'day_name': day_name, 'day_abbr': day_abbr, 'month_name': month_name, 'month_abbr': month_abbr,
        'Calendar': Calendar, 'TextCalendar': Calendar, 'setfirstweekday': setfirstweekday,
        'firstweekday': shared.getfirstweekday, 'monthcalendar': shared.monthdayscalendar,
        'month': shared.formatmonth, 'prmonth': shared.prmonth, 'weekheader': shared.formatweekheader,
        'January': 1, 'February': 2, 'IllegalMonthError': ValueError, 'IllegalWeekdayError': ValueError,
    }
    for i, name in enumerate(day_name):
        members[name.upper()] = i
    return _rlm_Module('calendar', members)
_rlm_module_calendar = _rlm_load(*_rlm_kit['builtins'])
