# Dictionaries made of mappings that are none of Monty's, and views that are
# compared; see `compat/calls.rs` and `compat/order.rs`.
def _rlm_load(dict, hasattr, type):
    def plain(x):
        return x._rlm_plain() if hasattr(x, '_rlm_plain') else x
    def dict_(*given, **named):
        return dict(*[plain(x) for x in given], **named)
    def view(v):
        # Views are sets, but not to Monty where they are compared.
        return {*v} if type(v).__name__ in ('dict_keys', 'dict_items') else v
    return dict_, view
_rlm_dict, _rlm_view = _rlm_load(dict, hasattr, type)
