# Classes whose members a function works out; see `compat/bodies.rs`.
def _rlm_load(type):
    def worked_out(name):
        return lambda members: type(name, (), members())
    return worked_out
_rlm_worked_out = _rlm_load(type)
