# What generators give, for what cannot wait for the host; see `compat/loops.rs`.
# What one returned last; the interpreter sets it.
_rlm_generator_result = None
def _rlm_load(kit):
    def some():
        yield
    generator = type(some())
    def begin():
        global _rlm_generator_result
        _rlm_generator_result = None
    kit['begin_generators'] = begin
    def gathered(made):
        return [item for item in made] if type(made) is generator else made
    def result_of(error, of):
        # An exception has nothing but a text, which says whether it is about what was returned last.
        value = _rlm_generator_result
        if value is not None and f'{value}' != f'{error}':
            value = None
        if value is None and 'read' in kit:
            return kit['read'](error, of)
        if of == 'value':
            return value if value is not None or not error.args else error.args[0]
        return error.args if value is None else (value,)
    return gathered, result_of
_rlm_gathered, _rlm_result_of = _rlm_load(_rlm_kit)
