# How instances are formatted, as they say; see `compat/formats.rs`.
def _rlm_load(format, hasattr, type, str, repr, getattr, int, NotImplemented, len):
    def format_(x, spec=''):
        if hasattr(type(x), '__format__') and hasattr(x, '__init__'):
            text = type(x).__format__(x, spec)
            if type(text) is not str:
                raise TypeError(f'__format__ must return a str, not {type(text).__name__}')
            return text
        return format(x, spec)
    def parts(text):
        # Plain pieces of a format and what stands in its braces.
        out = []
        plain = ''
        i = 0
        while i < len(text):
            c = text[i]
            if text[i:i + 2] in ('{{', '}}'):
                plain += c
                i += 2
            elif c == '{':
                deep = 1
                j = i + 1
                while j < len(text) and deep:
                    deep += 1 if text[j] == '{' else -1 if text[j] == '}' else 0
                    j += 1
                if deep:
                    raise ValueError("expected '}' before end of string")
                out.append((plain, text[i + 1:j - 1]))
                plain = ''
                i = j
            elif c == '}':
                raise ValueError("Single '}' encountered in format string")
            else:
                plain += c
                i += 1
        return out, plain
    def str_format(text):
        def method(*args, **kwargs):
            at = [0]
            def filled(text):
                pieces, rest = parts(text)
                return ''.join([plain + value(field) for plain, field in pieces]) + rest
            def value(field):
                name, colon, spec = field.partition(':')
                name, mark, conversion = name.partition('!')
                end = 0
                while end < len(name) and name[end] not in '.[':
                    end += 1
                first, rest = name[:end], name[end:]
                if at[0] is None and first == '' or at[0] and first.isdigit():
                    if at[0] is None:
                        raise ValueError('cannot switch from manual field specification to automatic field numbering')
                    raise ValueError('cannot switch from automatic field numbering to manual field specification')
                if first.isdigit():
                    at[0] = None
                if first == '':
                    first = f'{at[0]}'
                    at[0] += 1
                if first.isdigit():
                    if int(first) >= len(args):
                        raise IndexError(f'Replacement index {first} out of range for positional args tuple')
                    x = args[int(first)]
                else:
                    x = kwargs[first]
                while rest:
                    if rest[0] == '[':
                        key, _, rest = rest[1:].partition(']')
                        x = x[int(key) if key.isdigit() else key]
                    else:
                        end = 1
                        while end < len(rest) and rest[end] not in '.[':
                            end += 1
                        x = getattr(x, rest[1:end])
                        rest = rest[end:]
                if mark:
                    x = repr(x) if conversion == 'r' else str(x) if conversion == 's' else f'{x!a}'
                return format_(x, filled(spec))
            return filled(text)
        return method
    return format_, str_format
_rlm_format, _rlm_str_format = _rlm_load(format, hasattr, type, str, repr, getattr, int, NotImplemented, len)
