def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    class ABCMeta:
        pass
    class ABC(metaclass=ABCMeta):
        pass
    class abstractmethod:
        # The class whose body it stands in takes the function out of it.
        def __init__(self, funcobj):
            self.__wrapped__ = funcobj
            self.__isabstractmethod__ = True
        def __call__(self, *args, **kwargs):
            return self.__wrapped__(*args, **kwargs)
    def abstractproperty(fget=None, fset=None, fdel=None, doc=None):
        return property(abstractmethod(fget), fset, fdel)
    return _rlm_Module('abc', {'ABC': ABC, 'ABCMeta': ABCMeta, 'abstractmethod': abstractmethod, 'abstractproperty': abstractproperty})
_rlm_module_abc = _rlm_load(*_rlm_kit['builtins'])
