def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import re, sys
    show = print
    filters, seen, recording = [], [], []
    hidden = ('PendingDeprecationWarning', 'ImportWarning', 'ResourceWarning')
    # Classes of ours, as nothing can inherit from an exception here.
    class Warning:
        _rlm_warning = True
    class UserWarning:
        _rlm_warning = True
    class DeprecationWarning:
        _rlm_warning = True
    class PendingDeprecationWarning:
        _rlm_warning = True
    class SyntaxWarning:
        _rlm_warning = True
    class RuntimeWarning:
        _rlm_warning = True
    class FutureWarning:
        _rlm_warning = True
    class ImportWarning:
        _rlm_warning = True
    class UnicodeWarning:
        _rlm_warning = True
    class BytesWarning:
        _rlm_warning = True
    class ResourceWarning:
        _rlm_warning = True
    class EncodingWarning:
        _rlm_warning = True
    def begin(self, *args):
        self.args = args
    def told(self):
        return f'{self.args[0] if len(self.args) == 1 else self.args}' if self.args else ''
    def shown(self):
        return f"{type(self).__name__}({', '.join([f'{arg!r}' for arg in self.args])})"
    categories = {
        'Warning': Warning, 'UserWarning': UserWarning, 'DeprecationWarning': DeprecationWarning,
        'PendingDeprecationWarning': PendingDeprecationWarning, 'SyntaxWarning': SyntaxWarning,
        'RuntimeWarning': RuntimeWarning, 'FutureWarning': FutureWarning, 'ImportWarning': ImportWarning,
        'UnicodeWarning': UnicodeWarning, 'BytesWarning': BytesWarning, 'ResourceWarning': ResourceWarning,
        'EncodingWarning': EncodingWarning,
    }
    for kind in categories.values():
        for name, method in (('__init__', begin), ('__str__', told), ('__repr__', shown)):
            setattr(kind, name, method)
    class WarningMessage:
        def __init__(self, message, category):
            self.message, self.category, self.filename, self.lineno = message, category, '<string>', 1
            self.file = self.line = self.source = None
    def title(category):
        return f'{category}'.split("'")[1].split('.')[-1]
    def decided(name, text):
        for action, pattern, wanted in filters:
            if wanted in (name, 'Warning', 'Exception') and (not pattern or re.match(pattern, text, re.I)):
                return action
        return 'ignore' if name in hidden else 'default'
    def warn(message, category=None, stacklevel=1, source=None):
        text = f'{message}'
        if not isinstance(message, str):
            category = type(message)
        category = category or UserWarning
        name = title(category)
        action = decided(name, text)
        if action == 'error':
            if hasattr(category, '_rlm_warning'):
                raise NotImplementedError(f'a warning as an exception is not available in this sandbox: {name}: {text}')
            raise category(text)
        if action == 'ignore' or action != 'always' and (name, text) in seen:
            return
        if action != 'always':
            seen.append((name, text))
        if recording and recording[-1] is not None:
            recording[-1].append(WarningMessage(category(text) if isinstance(message, str) else message, category))
        else:
            show(f'{name}: {text}', file=sys.stderr)
    def simplefilter(action, category=None, lineno=0, append=False):
        filterwarnings(action, '', category, '', lineno, append)
    def filterwarnings(action, message='', category=None, module='', lineno=0, append=False):
        if action not in ('default', 'error', 'ignore', 'always', 'module', 'once'):
            raise AssertionError(f'invalid action: {action!r}')
        entry = (action, message, 'Warning' if category is None else title(category))
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
        def __enter__(self):
            self._kept = [*filters]
            seen.clear()
            recording.append(self._log)
            if self._action[0] is not None:
                simplefilter(*self._action)
            return self._log
        def __exit__(self, *details):
            filters[:] = self._kept
            seen.clear()
            recording.pop()
    return _rlm_Module('warnings', {
        'warn': warn, 'simplefilter': simplefilter, 'filterwarnings': filterwarnings, 'resetwarnings': resetwarnings,
        'catch_warnings': catch_warnings, 'WarningMessage': WarningMessage, **categories,
    })
_rlm_module_warnings = _rlm_load(*_rlm_kit['builtins'])
