def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    # The least depth that Python gives; how deep calls go here is not for scripts to say.
    depth = [1000]
    def exit(status=None, /):
        if status is None:
            raise SystemExit
        raise SystemExit(f'{status}')
    def exc_info():
        try:
            raise
        except BaseException as error:
            if isinstance(error, RuntimeError) and f'{error}' == 'No active exception to reraise':
                return None, None, None
            return type(error), error, None
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
        'exit': exit, 'exc_info': exc_info, 'getrecursionlimit': getrecursionlimit, 'setrecursionlimit': setrecursionlimit, 'intern': intern,
    })
_rlm_module_sys = _rlm_load(*_rlm_kit['builtins'])
