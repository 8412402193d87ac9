# Encodings that Monty lacks, and what characters count for; see
# `compat/methods.rs`.
def _rlm_load(len, ord, chr, range, int, float, made, extras, of_modules):
    import unicodedata
    latin = ('latin-1', 'latin1', 'iso-8859-1', 'iso8859-1', 'l1', '8859', 'cp819')
    windows = ('cp1252', 'windows-1252', '1252')
    quotes = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
    def encoded(s, encoding='utf-8', errors='strict'):
        name = encoding.lower().replace('_', '-')
        if name == 'unicode-escape':
            return unicode_escaped(s).encode('ascii')
        if name not in latin and name not in windows:
            return s.encode(encoding, errors)
        def code(c):
            n = ord(c)
            if name in windows and (127 < n < 160 or n > 255):
                return quotes.index(c) + 128 if c in quotes and n > 255 else 999
            return n
        out = []
        for i in range(len(s)):
            n = code(s[i])
            if n < 256:
                out.append(n)
            elif errors == 'strict':
                end = i
                while end < len(s) and code(s[end]) > 255:
                    end += 1
                n = ord(s[i])
                shown = f"'\\x{n:02x}'" if n < 256 else f"'\\u{n:04x}'" if n < 65536 else f"'\\U{n:08x}'"
                where = f'character {shown} in position {i}' if end == i + 1 or name in windows else f'characters in position {i}-{end - 1}'
                why = "'charmap' codec can't encode %s: character maps to <undefined>" if name in windows else "'latin-1' codec can't encode %s: ordinal not in range(256)"
                raise UnicodeEncodeError(why % where)
            elif errors != 'ignore':
                out.extend(s[i].encode('ascii', errors))
        return made(out)
    def decoded(b, encoding='utf-8', errors='strict'):
        name = encoding.lower().replace('_', '-')
        if name in latin:
            return ''.join([chr(n) for n in b])
        if name == 'unicode-escape':
            return meant(''.join([chr(n) for n in b]))
        if name not in windows:
            return b.decode(encoding, errors)
        out = []
        for i in range(len(b)):
            c = quotes[b[i] - 128] if 127 < b[i] < 160 else chr(b[i])
            if 127 < b[i] < 160 and c < '\xa0':
                if errors == 'strict':
                    raise UnicodeDecodeError(f"'charmap' codec can't decode byte 0x{b[i]:02x} in position {i}: character maps to <undefined>")
                c = '' if errors == 'ignore' else '\ufffd' if errors == 'replace' else f'\\x{b[i]:02x}'
            out.append(c)
        return ''.join(out)
    controls = {'n': '\n', 't': '\t', 'r': '\r', 'a': '\a', 'b': '\b', 'f': '\f', 'v': '\v', '\\': '\\', "'": "'", '"': '"', '\n': ''}
    def unicode_escaped(s):
        out = []
        for c in s:
            n = ord(c)
            known = {'\n': '\\n', '\t': '\\t', '\r': '\\r', '\\': '\\\\'}.get(c)
            out.append(known if known else c if 31 < n < 127 else f'\\x{n:02x}' if n < 256 else f'\\u{n:04x}' if n < 65536 else f'\\U{n:08x}')
        return ''.join(out)
    def meant(s):
        out = []
        i = 0
        while i < len(s):
            at = s.find('\\', i)
            if at < 0:
                out.append(s[i:])
                break
            out.append(s[i:at])
            c = s[at + 1:at + 2]
            i = at + 2
            if c in ('x', 'u', 'U'):
                more = {'x': 2, 'u': 4, 'U': 8}[c]
                digits = s[i:i + more]
                if len(digits) < more or [d for d in digits if d not in '0123456789abcdefABCDEF']:
                    good = 0
                    while good < len(digits) and digits[good] in '0123456789abcdefABCDEF':
                        good += 1
                    shape = {'x': '\\xXX', 'u': '\\uXXXX', 'U': '\\UXXXXXXXX'}[c]
                    where = f'position {at}-{i + good - 1}'
                    raise UnicodeDecodeError(f"'unicodeescape' codec can't decode bytes in {where}: truncated {shape} escape")
                out.append(chr(int(digits, 16)))
                i += more
            elif c != '' and c in '01234567':
                end = at + 1
                while end < at + 4 and s[end:end + 1] != '' and s[end] in '01234567':
                    end += 1
                out.append(chr(int(s[at + 1:end], 8)))
                i = end
            elif c == 'N':
                raise NotImplementedError('names of characters in unicode_escape are not available in this sandbox')
            elif c == '':
                raise UnicodeDecodeError(f"'unicodeescape' codec can't decode byte 0x5c in position {at}: \\ at end of string")
            else:
                out.append(controls[c] if c in controls else '\\' + c)
        return ''.join(out)
    def digit(c, *default):
        if c.isdigit() and c not in '²³¹':
            words = unicodedata.name(c).split(' ')
            names = ('ZERO', 'ONE', 'TWO', 'THREE', 'FOUR', 'FIVE', 'SIX', 'SEVEN', 'EIGHT', 'NINE')
            if words[-1] in names:
                return names.index(words[-1])
        elif not c.isnumeric():
            if default:
                return default[0]
            raise ValueError('not a digit')
        raise NotImplementedError('unicodedata.digit() of this is not available in this sandbox')
    def numeric(c, *default):
        if c.isnumeric():
            parts = unicodedata.normalize('NFKC', c).split('⁄')
            if len(parts) == 2 and parts[0].isdigit() and parts[1].isdigit():
                return int(parts[0]) / int(parts[1])
            if len(parts) == 1 and parts[0].isascii() and parts[0].isdigit():
                return float(parts[0])
            return float(digit(c))
        if default:
            return default[0]
        raise ValueError('not a numeric character')
    extras['str']['encode'] = encoded
    extras['bytes']['decode'] = decoded
    of_modules.update({'numeric': numeric, 'digit': digit, 'decimal': digit})
_rlm_load(len, ord, chr, range, int, float, _rlm_made, _rlm_extras, _rlm_of_modules)
