def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import sys
    say = print
    # Where CPython's own names of types have more than the name.
    homes = {'JSONDecodeError': 'json.decoder.JSONDecodeError', 'FrozenInstanceError': 'dataclasses.FrozenInstanceError',
             'PatternError': 're.error', 'TOMLDecodeError': 'tomllib.TOMLDecodeError'}
    header = 'Traceback (most recent call last):\n'
    caused = '\nThe above exception was the direct cause of the following exception:\n\n'
    during = '\nDuring handling of the above exception, another exception occurred:\n\n'
    class FrameSummary:
        def __init__(self, filename, lineno, name, *, lookup_line=True, locals=None, line=None):
            self.filename, self.lineno, self.name = filename, lineno, name
            self.line = (_rlm_source_line(filename, lineno) if line is None else line).strip()
        def __iter__(self):
            return iter([self.filename, self.lineno, self.name, self.line])
        def __getitem__(self, index):
            return [self.filename, self.lineno, self.name, self.line][index]
        def __len__(self):
            return 4
        def __repr__(self):
            return f'<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>'
    def walk_tb(tb):
        while tb is not None:
            yield tb.tb_frame, tb.tb_lineno
            tb = tb.tb_next
    def extract_tb(tb, limit=None):
        frames = [FrameSummary(frame.f_code.co_filename, line, frame.f_code.co_name) for frame, line in walk_tb(tb)]
        return frames if limit is None else frames[:limit] if limit >= 0 else frames[limit:]
    def format_list(extracted_list):
        lines, last, repeated = [], None, 0
        def end_of_repetition():
            more = repeated - 3
            return [f'  [Previous line repeated {more} more time{"s" if more > 1 else ""}]\n'] if more > 0 else []
        for filename, lineno, name, line in extracted_list:
            if (filename, lineno, name) != last:
                lines += end_of_repetition()
                last, repeated = (filename, lineno, name), 0
            repeated += 1
            if repeated <= 3:
                lines.append(f'  File "{filename}", line {lineno}, in {name}\n' + (f'    {line.strip()}\n' if line else ''))
        return lines + end_of_repetition()
    def format_tb(tb, limit=None):
        return format_list(extract_tb(tb, limit))
    def print_tb(tb, limit=None, file=None):
        put(format_tb(tb, limit), file)
    def format_exception_only(exc, /, value=None):
        error = exc if value is None else value
        if error is None:
            return ['NoneType: None\n']
        name, text = type(error).__name__, f'{error}'
        name = homes.get(name, name)
        notes = getattr(error, '__notes__', None)
        return [f'{name}: {text}\n' if text else f'{name}\n', *[f'{note}\n' for note in notes or ()]]
    def shown(error, tb, limit):
        lines = format_tb(tb, limit)
        return [*([header] if lines else ()), *lines, *format_exception_only(error)]
    def format_exception(exc, /, value=None, tb=None, limit=None, chain=True):
        error = exc if value is None else value
        if error is None:
            return format_exception_only(None)
        lines, seen = shown(error, getattr(error, '__traceback__', None) if tb is None else tb, limit), []
        while chain and isinstance(error, BaseException) and len(seen) < 100:
            seen.append(error)
            before, words = error.__cause__, caused
            if before is None and not error.__suppress_context__:
                before, words = error.__context__, during
            if before is None or [1 for one in seen if one is before]:
                break
            lines = [*shown(before, before.__traceback__, limit), words, *lines]
            error = before
        return lines
    lines_of_last = format_exception_only
    class TracebackException:
        def __init__(self, exc_type, exc_value, exc_traceback, *, limit=None, lookup_lines=True, capture_locals=False, compact=False):
            self._error, self._tb, self._limit = exc_value, exc_traceback, limit
            self.exc_type, self.stack = exc_type, extract_tb(exc_traceback, limit)
        @classmethod
        def from_exception(cls, exc, *args, **kwargs):
            return cls(type(exc), exc, exc.__traceback__, *args, **kwargs)
        def __str__(self):
            return f'{self._error}'
        def format(self, *, chain=True):
            return iter(format_exception(self._error, None, self._tb, self._limit, chain))
        def format_exception_only(self):
            return iter(lines_of_last(self._error))
    def put(lines, file):
        text = ''.join(lines)
        say(text, end='', file=sys.stderr if file is None else file)
    def format_exc(limit=None, chain=True):
        return ''.join(format_exception(_rlm_handled(), None, None, limit, chain))
    def print_exc(limit=None, file=None, chain=True):
        put(format_exception(_rlm_handled(), None, None, limit, chain), file)
    def print_exception(exc, /, value=None, tb=None, limit=None, file=None, chain=True):
        put(format_exception(exc, value, tb, limit, chain), file)
    return _rlm_Module('traceback', {
        'format_exception_only': format_exception_only, 'format_exception': format_exception, 'format_exc': format_exc,
        'print_exc': print_exc, 'print_exception': print_exception, 'extract_tb': extract_tb, 'format_tb': format_tb,
        'print_tb': print_tb, 'walk_tb': walk_tb, 'format_list': format_list, 'FrameSummary': FrameSummary,
        'TracebackException': TracebackException,
    })
_rlm_module_traceback = _rlm_load(*_rlm_kit['builtins'])
