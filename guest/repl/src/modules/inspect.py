def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    def kind(*names):
        return lambda object: type(object).__name__ in names
    def cleandoc(doc):
        lines = doc.expandtabs().split('\n')
        margins = [len(line) - len(line.lstrip()) for line in lines[1:] if line.lstrip()]
        margin = min(margins, default=0)
        lines = [lines[0].lstrip()] + [line[margin:] for line in lines[1:]]
        while lines and not lines[-1]:
            lines.pop()
        while lines and not lines[0]:
            lines.pop(0)
        return '\n'.join(lines)
    return _rlm_Module('inspect', {
        'isfunction': kind('function'), 'isclass': kind('type'), 'isbuiltin': kind('builtin_function_or_method'),
        'isgenerator': kind('generator'), 'isgeneratorfunction': lambda object: _rlm_yields(object), 'iscoroutine': kind('coroutine'), 'ismodule': kind('module'), 'cleandoc': cleandoc,
    })
_rlm_module_inspect = _rlm_load(*_rlm_kit['builtins'])
