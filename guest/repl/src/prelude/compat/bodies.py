# Classes whose members a function works out; see `compat/bodies.rs`.
def _rlm_load(type, setattr, hasattr):
    def worked_out(name, *bases):
        def make(body):
            members = body()
            for inner in members.values():
                if type(inner).__name__ == 'type' and f'{inner!r}' == f"<class '{inner.__name__}'>" and '__qualname__' not in inner._rlm_attributes:
                    setattr(inner, '__qualname__', f'{name}.{inner.__name__}')
            return type(name, bases, members)
        return make
    return worked_out
_rlm_worked_out = _rlm_load(type, setattr, hasattr)
