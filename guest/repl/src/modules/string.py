def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import re
    lower = 'abcdefghijklmnopqrstuvwxyz'
    upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
    digits = '0123456789'
    punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
    whitespace = ' \t\n\r\x0b\x0c'
    plain = '$', '[_a-zA-Z][_a-zA-Z0-9]*', None
    patterns = {}
    def compiled(template):
        delimiter, name, braced = key = template.delimiter, template.idpattern, template.braceidpattern
        if key not in patterns:
            mark = re.escape(delimiter)
            found = re.compile(f'{mark}(?:({mark})|({name})|' + '\\{(' + (braced or name) + ')\\}|())')
            if key != plain:
                return found
            patterns[key] = found
        return patterns[key]
    def capwords(s, sep=None):
        return (sep or ' ').join([word.capitalize() for word in s.split(sep)])
    class Template:
        delimiter, idpattern, braceidpattern = plain
        def __init__(self, template):
            self.template = template
        def __repr__(self):
            return f'Template({self.template!r})'
        def _fill(self, mapping, kws, strict):
            parts = []
            done = 0
            for m in compiled(self).finditer(self.template):
                parts.append(self.template[done:m.start()])
                done = m.end()
                name = m.group(2) or m.group(3)
                if m.group(1):
                    parts.append(self.delimiter)
                elif name is None:
                    if strict:
                        lines = self.template[:m.start() + 1].splitlines(True)
                        raise ValueError(f'Invalid placeholder in string: line {len(lines)}, col {len(lines[-1])}')
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
        def substitute(self, mapping=None, /, **kws):
            return self._fill({} if mapping is None else mapping, kws, True)
        def safe_substitute(self, mapping=None, /, **kws):
            return self._fill({} if mapping is None else mapping, kws, False)
        def is_valid(self):
            return all(m.group(1) or m.group(2) or m.group(3) for m in compiled(self).finditer(self.template))
        def get_identifiers(self):
            names = []
            for m in compiled(self).finditer(self.template):
                name = m.group(2) or m.group(3)
                if name is not None and name not in names:
                    names.append(name)
            return names
    def fields(text):
        found, literal, i = [], '', 0
        while i < len(text):
            c = text[i]
            if c in '{}' and text[i + 1:i + 2] == c:
                # A doubled brace ends a part.
                found.append((literal + c, None, None, None))
                literal, i = '', i + 2
                continue
            if c == '}':
                raise ValueError("Single '}' encountered in format string")
            if c != '{':
                literal += c
                i += 1
                continue
            depth, end = 1, i + 1
            while end < len(text) and depth:
                depth += {'{': 1, '}': -1}.get(text[end], 0)
                end += 1
            if depth:
                raise ValueError("expected '}' before end of string" if text[i + 1:] else "Single '{' encountered in format string")
            inner = text[i + 1:end - 1]
            at, brackets = 0, False
            while at < len(inner) and (brackets or inner[at] not in '!:'):
                brackets = inner[at] == '[' or brackets and inner[at] != ']'
                at += 1
            name, rest, conversion = inner[:at], inner[at:], None
            if rest[:1] == '!':
                conversion, rest = rest[1:2], rest[2:]
                if not conversion:
                    raise ValueError("unmatched '{' in format spec")
                if rest and rest[0] != ':':
                    raise ValueError("expected ':' after conversion specifier")
            found.append((literal, name, rest[1:], conversion))
            literal, i = '', end
        if literal:
            found.append((literal, None, None, None))
        return found
    class Formatter:
        def parse(self, format_string):
            return iter(fields(format_string))
        def format(self, format_string, /, *args, **kwargs):
            return self.vformat(format_string, args, kwargs)
        def vformat(self, format_string, args, kwargs):
            if type(self) is Formatter:
                return format_string.format(*args, **kwargs)
            return self._vformat(format_string, args, kwargs, [0], 2)
        def _vformat(self, format_string, args, kwargs, count, depth):
            if depth < 0:
                raise ValueError('Max string recursion exceeded')
            parts = []
            for literal, name, spec, conversion in self.parse(format_string):
                if literal:
                    parts.append(literal)
                if name is None:
                    continue
                if name == '' or name[0] in '.[':
                    name, count[0] = f'{count[0]}{name}', count[0] + 1
                value = self.convert_field(self.get_field(name, args, kwargs)[0], conversion)
                parts.append(self.format_field(value, self._vformat(spec, args, kwargs, count, depth - 1)))
            return ''.join(parts)
        def get_field(self, field_name, args, kwargs):
            first, rest = re.match(r'([^.\[]*)(.*)', field_name).groups()
            first = int(first) if first.isdigit() else first
            value = self.get_value(first, args, kwargs)
            for name, key in re.findall(r'\.([^.\[]+)|\[([^\]]+)\]', rest):
                value = getattr(value, name) if name else value[int(key) if key.isdigit() else key]
            return value, first
        def get_value(self, key, args, kwargs):
            return args[key] if isinstance(key, int) else kwargs[key]
        def convert_field(self, value, conversion):
            if conversion is None:
                return value
            if conversion not in ('s', 'r', 'a'):
                raise ValueError(f'Unknown conversion specifier {conversion}')
            return f'{value!s}' if conversion == 's' else f'{value!r}' if conversion == 'r' else f'{value!a}'
        def format_field(self, value, format_spec):
            return f'{value:{format_spec}}'
    return _rlm_Module('string', {
        'ascii_lowercase': lower, 'ascii_uppercase': upper, 'ascii_letters': lower + upper,
        'digits': digits, 'hexdigits': digits + 'abcdefABCDEF', 'octdigits': '01234567',
        'punctuation': punctuation, 'whitespace': whitespace,
        'printable': digits + lower + upper + punctuation + whitespace,
        'capwords': capwords, 'Template': Template, 'Formatter': Formatter,
    })
_rlm_module_string = _rlm_load(*_rlm_kit['builtins'])
