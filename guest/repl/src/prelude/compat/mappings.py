# Dictionaries made of mappings that are none of Monty's; see `compat/calls.rs`.
def _rlm_load(dict, hasattr):
    def plain(x):
        return x._rlm_plain() if hasattr(x, '_rlm_plain') else x
    def dict_(*given, **named):
        return dict(*[plain(x) for x in given], **named)
    return dict_
_rlm_dict = _rlm_load(dict, hasattr)
