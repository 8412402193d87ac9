# What generators give, for what cannot wait for the host; see `compat/loops.rs`.
def _rlm_load(type):
    def some():
        yield
    generator = type(some())
    def gathered(made):
        return [item for item in made] if type(made) is generator else made
    return gathered
_rlm_gathered = _rlm_load(type)
