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
        notes = getattr(error, '__notes__', None)
        return [f'{name}: {text}\n' if text else f'{name}\n', *[f'{note}\n' for note in notes or ()]]
    caused = '\nThe above exception was the direct cause of the following exception:\n\n'
    during = '\nDuring handling of the above exception, another exception occurred:\n\n'
    # Where it happened is not known to scripts: a traceback has its first line and its last.
    def format_exception(exc, /, value=None, tb=None, limit=None, chain=True):
        error = exc if value is None else value
        if error is None:
            return format_exception_only(None)
        lines, seen = ['Traceback (most recent call last):\n', *format_exception_only(error)], []
        while chain and isinstance(error, BaseException) and len(seen) < 100:
            seen.append(error)
            before, words = error.__cause__, caused
            if before is None and not error.__suppress_context__:
                before, words = error.__context__, during
            if before is None or [1 for one in seen if one is before]:
                break
            lines = ['Traceback (most recent call last):\n', *format_exception_only(before), words, *lines]
            error = before
        return lines
    def put(lines, file):
        text = ''.join(lines)
        say(text, end='', file=sys.stderr if file is None else file)
    def format_exc(limit=None, chain=True):
        return ''.join(format_exception(_rlm_handled(), chain=chain))
    def print_exc(limit=None, file=None, chain=True):
        put(format_exception(_rlm_handled(), chain=chain), file)
    def print_exception(exc, /, value=None, tb=None, limit=None, file=None, chain=True):
        put(format_exception(exc, value, chain=chain), file)
    return _rlm_Module('traceback', {
        'format_exception_only': format_exception_only, 'format_exception': format_exception, 'format_exc': format_exc,
        'print_exc': print_exc, 'print_exception': print_exception,
    })
_rlm_module_traceback = _rlm_load(*_rlm_kit['builtins'])
