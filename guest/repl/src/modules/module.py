def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    class module:
        def __init__(self, name, members):
            self.__name__ = name
            for k, v in members.items():
                setattr(self, k, v)
        def __repr__(self):
            return f"<module '{self.__name__}'>"
    def take(source, name):
        if hasattr(source, name):
            return getattr(source, name)
        raise ImportError(f"cannot import name '{name}' from '{source.__name__}'")
    return module, take
_rlm_Module, _rlm_from = _rlm_load(*_rlm_kit['builtins'])
