def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    # The least depth that Python gives; how deep calls go here is not for scripts to say.
    depth = [1000]
    def exit(*status):
        raise SystemExit(*status)
    def exception():
        return _rlm_handled()
    def exc_info():
        error = _rlm_handled()
        return (None, None, None) if error is None else (type(error), error, error.__traceback__)
    def getrecursionlimit():
        return depth[0]
    def setrecursionlimit(limit, /):
        if not isinstance(limit, int):
            raise TypeError(f"'{type(limit).__name__}' object cannot be interpreted as an integer")
        if limit < 1:
            raise ValueError('recursion limit must be greater or equal than 1')
        depth[0] = limit
    def intern(string, /):
        if not isinstance(string, str):
            raise TypeError(f'intern() argument must be str, not {type(string).__name__}')
        return string
    return _rlm_Module('sys', {
        'exit': exit, 'exc_info': exc_info, 'exception': exception, 'getrecursionlimit': getrecursionlimit, 'setrecursionlimit': setrecursionlimit, 'intern': intern,
    })
_rlm_module_sys = _rlm_load(*_rlm_kit['builtins'])
