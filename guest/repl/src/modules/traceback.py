def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import sys
    say = print
    # Where CPython's own names of types have more than the name.
    homes = {'JSONDecodeError': 'json.decoder.JSONDecodeError', 'FrozenInstanceError': 'dataclasses.FrozenInstanceError',
             'PatternError': 're.error', 'TOMLDecodeError': 'tomllib.TOMLDecodeError'}
    def format_exception_only(exc, /, value=None):
        error = exc if value is None else value
        if error is None:
            return ['NoneType: None\n']
        name, text = type(error).__name__, f'{error}'
        name = homes.get(name, name)
        return [f'{name}: {text}\n' if text else f'{name}\n']
    # Where it happened is not known to scripts: a traceback has its first line and its last.
    def format_exception(exc, /, value=None, tb=None, limit=None, chain=True):
        last = format_exception_only(exc, value)
        return last if exc is None else ['Traceback (most recent call last):\n', *last]
    def put(lines, file):
        text = ''.join(lines)
        if file is None or file is sys.stderr:
            say(text, end='', file=sys.stderr)
        elif file is sys.stdout:
            say(text, end='')
        else:
            file.write(text)
    def format_exc(limit=None, chain=True):
        return ''.join(format_exception(_rlm_handled()))
    def print_exc(limit=None, file=None, chain=True):
        put(format_exception(_rlm_handled()), file)
    def print_exception(exc, /, value=None, tb=None, limit=None, file=None, chain=True):
        put(format_exception(exc, value), file)
    return _rlm_Module('traceback', {
        'format_exception_only': format_exception_only, 'format_exception': format_exception, 'format_exc': format_exc,
        'print_exc': print_exc, 'print_exception': print_exception,
    })
_rlm_module_traceback = _rlm_load(*_rlm_kit['builtins'])
