# Views that are compared; see `compat/order.rs`.
def _rlm_load(type):
    def view(v):
        # Views are sets, but not to Monty where they are compared.
        return {*v} if type(v).__name__ in ('dict_keys', 'dict_items') else v
    return view
_rlm_view = _rlm_load(type)
