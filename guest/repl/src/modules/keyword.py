def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    kwlist = (
        'False None True and as assert async await break class continue def del elif else except finally for from '
        'global if import in is lambda nonlocal not or pass raise return try while with yield'
    ).split()
    softkwlist = ['_', 'case', 'match', 'type']
    # Those that scripts are given are lists, which they can change.
    hard, soft = {*kwlist}, {*softkwlist}
    def iskeyword(s, /):
        return type(s) is str and s in hard
    def issoftkeyword(s, /):
        return type(s) is str and s in soft
    return _rlm_Module('keyword', {
        'kwlist': kwlist, 'softkwlist': softkwlist, 'iskeyword': iskeyword, 'issoftkeyword': issoftkeyword,
    })
_rlm_module_keyword = _rlm_load(*_rlm_kit['builtins'])
