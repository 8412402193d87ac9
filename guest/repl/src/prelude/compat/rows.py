# What stands for the bases of classes; see `compat/bases.rs`.
def _rlm_load(getattr, hasattr, dict, len, range):
    from collections import namedtuple
    def named(cls):
        names = [*cls.__annotations__]
        for i in range(1, len(names)):
            if hasattr(cls, names[i - 1]) and not hasattr(cls, names[i]):
                raise TypeError(f'Non-default namedtuple field {names[i]} cannot follow default field {names[i - 1]}')
        return namedtuple(cls.__name__, names, defaults=[getattr(cls, name) for name in names if hasattr(cls, name)])
    class typed:
        def __init__(self, cls, total):
            self.__name__ = cls.__name__
            self.__annotations__ = cls.__annotations__
            self.__total__ = total
        def __call__(self, *given, **fields):
            return dict(*given, **fields)
        def __repr__(self):
            return f"<class '__main__.{self.__name__}'>"
    def typed_dict(total):
        return lambda cls: typed(cls, total)
    _rlm_kit['named'] = named
    return named, typed_dict
_rlm_named, _rlm_typed = _rlm_load(getattr, hasattr, dict, len, range)
