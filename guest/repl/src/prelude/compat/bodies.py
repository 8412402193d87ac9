# Classes whose members a function works out; see `compat/bodies.rs`.
def _rlm_load(type, setattr, hasattr):
    def worked_out(name):
        def make(body):
            members = body()
            for inner in members.values():
                if type(inner).__name__ == 'type' and f'{inner!r}' == f"<class '{inner.__name__}'>" and not hasattr(inner, '__qualname__'):
                    setattr(inner, '__qualname__', f'{name}.{inner.__name__}')
            return type(name, (), members)
        return make
    return worked_out
_rlm_worked_out = _rlm_load(type, setattr, hasattr)
