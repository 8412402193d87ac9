def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    # Classes that have them as bases are rewritten; see `compat/bases.rs`.
    class ABC:
        pass
    class ABCMeta:
        pass
    def abstractmethod(funcobj):
        return funcobj
    return _rlm_Module('abc', {'ABC': ABC, 'ABCMeta': ABCMeta, 'abstractmethod': abstractmethod})
_rlm_module_abc = _rlm_load(*_rlm_kit['builtins'])
