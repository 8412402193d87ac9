def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import re
    def translate(pat):
        parts, i, n = [], 0, len(pat)
        while i < n:
            c = pat[i]
            i += 1
            if c == '*':
                if parts[-1:] != ['.*']:
                    parts.append('.*')
            elif c == '?':
                parts.append('.')
            elif c == '[':
                end = i + 1 if pat[i:i + 1] == '!' else i
                end = pat.find(']', end + 1 if pat[end:end + 1] == ']' else end)
                if end < 0:
                    parts.append('\\[')
                else:
                    inner = pat[i:end].replace('\\', '\\\\').replace('[', '\\[')
                    i = end + 1
                    inner = '^' + inner[1:] if inner[:1] == '!' else '\\' + inner if inner[:1] == '^' else inner
                    parts.append(f'[{inner}]')
            else:
                parts.append(re.escape(c))
        return f"(?s:{''.join(parts)})\\Z"
    def fnmatchcase(name, pat):
        return re.match(translate(pat), name) is not None
    def filter(names, pat):
        pattern = re.compile(translate(pat))
        return [name for name in names if pattern.match(name) is not None]
    return _rlm_Module('fnmatch', {
        'translate': translate, 'fnmatch': fnmatchcase, 'fnmatchcase': fnmatchcase, 'filter': filter,
    })
_rlm_module_fnmatch = _rlm_load(*_rlm_kit['builtins'])
