def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import re
    lower = 'abcdefghijklmnopqrstuvwxyz'
    upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
    digits = '0123456789'
    punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
    whitespace = ' \t\n\r\x0b\x0c'
    pattern = re.compile(r'\$(?:(\$)|([_a-zA-Z][_a-zA-Z0-9]*)|\{([_a-zA-Z][_a-zA-Z0-9]*)\}|())')
    def capwords(s, sep=None):
        return (sep or ' ').join([word.capitalize() for word in s.split(sep)])
    class Template:
        def __init__(self, template):
            self.template = template
        def __repr__(self):
            return f'Template({self.template!r})'
        def _fill(self, mapping, kws, strict):
            parts = []
            done = 0
            for m in pattern.finditer(self.template):
                parts.append(self.template[done:m.start()])
                done = m.end()
                name = m.group(2) or m.group(3)
                if m.group(1):
                    parts.append('$')
                elif name is None:
                    if strict:
                        raise ValueError(f'Invalid placeholder in string: position {m.start()}')
                    parts.append(m.group(0))
                elif name in kws:
                    parts.append(f'{kws[name]}')
                elif name in mapping:
                    parts.append(f'{mapping[name]}')
                elif strict:
                    raise KeyError(name)
                else:
                    parts.append(m.group(0))
            parts.append(self.template[done:])
            return ''.join(parts)
        def substitute(self, mapping={}, /, **kws):
            return self._fill(mapping, kws, True)
        def safe_substitute(self, mapping={}, /, **kws):
            return self._fill(mapping, kws, False)
        def get_identifiers(self):
            names = []
            for m in pattern.finditer(self.template):
                name = m.group(2) or m.group(3)
                if name is not None and name not in names:
                    names.append(name)
            return names
    return _rlm_Module('string', {
        'ascii_lowercase': lower, 'ascii_uppercase': upper, 'ascii_letters': lower + upper,
        'digits': digits, 'hexdigits': digits + 'abcdefABCDEF', 'octdigits': '01234567',
        'punctuation': punctuation, 'whitespace': whitespace,
        'printable': digits + lower + upper + punctuation + whitespace,
        'capwords': capwords, 'Template': Template,
    })
_rlm_module_string = _rlm_load(*_rlm_kit['builtins'])
