def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import re, sys
    show = print
    filters, seen, recording = [], [], []
    enter, left = _rlm_kit['enter'], _rlm_kit['left']
    hidden = ('PendingDeprecationWarning', 'ImportWarning', 'ResourceWarning')
    names = ('Warning', 'UserWarning', 'DeprecationWarning', 'PendingDeprecationWarning', 'SyntaxWarning', 'RuntimeWarning',
             'FutureWarning', 'ImportWarning', 'UnicodeWarning', 'BytesWarning', 'ResourceWarning', 'EncodingWarning')
    categories = {name: _rlm_kit['kinds'][name] for name in names}
    Warning, UserWarning = categories['Warning'], categories['UserWarning']
    class WarningMessage:
        def __init__(self, message, category, place):
            self.message, self.category = message, category
            self.filename, self.lineno = place
            self.file = self.line = self.source = None
    def running():
        line = _rlm_running_line()
        return ('<string>', 1) if line is None else (line.tb_frame.f_code.co_filename, line.tb_lineno)
    def formatwarning(message, category, filename, lineno, line=None):
        line = _rlm_source_line(filename, lineno) if line is None else line
        return f'{filename}:{lineno}: {title(category)}: {message}\n' + (f'  {line.strip()}\n' if line else '')
    def title(category):
        return f'{category}'.split("'")[1].split('.')[-1]
    def decided(category, text):
        name = title(category)
        for action, pattern, wanted in filters:
            if (wanted is Warning or wanted is Exception or issubclass(category, wanted)) and (not pattern or re.match(pattern, text, re.I)):
                return action
        return 'ignore' if name in hidden else 'default'
    def warn(message, category=None, stacklevel=1, source=None):
        text = f'{message}'
        if not isinstance(message, str):
            category = type(message)
        category = category or UserWarning
        name = title(category)
        action = decided(category, text)
        if action == 'error':
            raise category(text) if isinstance(message, str) else message
        if action == 'ignore' or action != 'always' and (name, text) in seen:
            return
        if action != 'always':
            seen.append((name, text))
        if recording and recording[-1] is not None:
            recording[-1].append(WarningMessage(category(text) if isinstance(message, str) else message, category, running()))
        else:
            show(formatwarning(text, category, *running()), end='', file=sys.stderr)
    def simplefilter(action, category=None, lineno=0, append=False):
        filterwarnings(action, '', category, '', lineno, append)
    def filterwarnings(action, message='', category=None, module='', lineno=0, append=False):
        if action not in ('default', 'error', 'ignore', 'always', 'module', 'once'):
            raise AssertionError(f'invalid action: {action!r}')
        entry = (action, message, Warning if category is None else category)
        seen.clear()
        if append:
            filters.append(entry)
        else:
            filters.insert(0, entry)
    def resetwarnings():
        filters.clear()
        seen.clear()
    class catch_warnings:
        def __init__(self, *, record=False, module=None, action=None, category=None, lineno=0, append=False):
            self._log = [] if record else None
            self._action = action, category, lineno, append
            self._leave = []
        def __enter__(self):
            kept = [*filters]
            def leave():
                filters[:] = kept
                seen.clear()
                recording.pop()
            seen.clear()
            recording.append(self._log)
            self._leave.append(enter(leave))
            if self._action[0] is not None:
                simplefilter(*self._action)
            return self._log
        def __exit__(self, *details):
            if not self._leave:
                raise RuntimeError(f'Cannot exit {self!r} without entering first')
            left(self._leave.pop())()
    return _rlm_Module('warnings', {
        'warn': warn, 'simplefilter': simplefilter, 'filterwarnings': filterwarnings, 'resetwarnings': resetwarnings,
        'catch_warnings': catch_warnings, 'formatwarning': formatwarning, 'WarningMessage': WarningMessage, **categories,
    })
_rlm_module_warnings = _rlm_load(*_rlm_kit['builtins'])
