def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
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
    return _rlm_Module('traceback', {'format_exception_only': format_exception_only})
_rlm_module_traceback = _rlm_load(*_rlm_kit['builtins'])
