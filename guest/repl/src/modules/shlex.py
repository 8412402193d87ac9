def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import re
    unsafe = re.compile(r'[^a-zA-Z0-9_@%+=:,./-]')
    def quote(s):
        if not s:
            return "''"
        return s if unsafe.search(s) is None else "'" + s.replace("'", "'\"'\"'") + "'"
    def join(split_command):
        return ' '.join([quote(arg) for arg in split_command])
    def split(s, comments=False, posix=True):
        if s is None:
            raise ValueError('s argument must not be None')
        if not posix:
            raise NotImplementedError('shlex.split(posix=False) is not available in this sandbox')
        words, word, inside, escaped = [], None, '', False
        for i, c in enumerate(s):
            if escaped:
                # Between double quotes a backslash stays before most.
                word = (word or '') + ('' if not inside or c in '\\"' else '\\') + c
                escaped = False
            elif c == '\\' and inside != "'":
                escaped = True
            elif inside:
                if c == inside:
                    inside = ''
                else:
                    word += c
            elif c in '\'"':
                inside, word = c, word or ''
            elif c in ' \t\r\n':
                if word is not None:
                    words.append(word)
                word = None
            elif c == '#' and comments:
                rest = s[i:].partition('\n')[2]
                return words + ([] if word is None else [word]) + split(rest, True)
            else:
                word = (word or '') + c
        if inside:
            raise ValueError('No closing quotation')
        if escaped:
            raise ValueError('No escaped character')
        return words if word is None else [*words, word]
    return _rlm_Module('shlex', {'quote': quote, 'join': join, 'split': split})
_rlm_module_shlex = _rlm_load(*_rlm_kit['builtins'])
