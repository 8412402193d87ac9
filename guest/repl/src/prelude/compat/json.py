# What `json` lacks: `cls`, waiting in `default`, hooks, decoders, and Python's words for what is
# wrong; see `compat/calls.rs`.
def _rlm_load(type, isinstance, str, int, float, bool, bytes, dict, list, tuple, hasattr, len, chr, getattr, iter):
    import json, re
    number = re.compile(r'(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?')
    constants = {'NaN': float('nan'), 'Infinity': float('inf'), '-Infinity': -float('inf')}
    plain_escapes = {'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
    def dumps(value, *, cls=None, default=None, **rest):
        if cls is not None:
            return cls(default=default, **rest).encode(value)
        def plain(v):
            if v is None or isinstance(v, (str, int, float)):
                return v
            if isinstance(v, dict):
                return {k: plain(x) for k, x in v.items()}
            if isinstance(v, (list, tuple)) or hasattr(v, '_fields') and not hasattr(v, '__init__'):
                return [plain(x) for x in v]
            return v if default is None else plain(default(v))
        return json.dumps(plain(value), **rest)
    def dump(value, file, **rest):
        file.write(dumps(value, **rest))
    error = json.JSONDecodeError
    def decoder(s, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, object_pairs_hook=None, strict=True):
        # Reads a value from a place on; gives it and where it ends.
        n = len(s)
        def space(i):
            while i < n and s[i] in ' \t\n\r':
                i += 1
            return i
        def unicode(i):
            digits = s[i + 1:i + 5]
            if len(digits) < 4 or [c for c in digits if c not in '0123456789abcdefABCDEF']:
                raise error('Invalid \\uXXXX escape', s, i)
            return int(digits, 16)
        def string(i):
            start = i - 1
            end = s.find('"', i)
            if end >= 0 and s[i:end].isprintable() and '\\' not in s[i:end]:
                return s[i:end], end + 1
            out = []
            while True:
                if i >= n:
                    raise error('Unterminated string starting at', s, start)
                c = s[i]
                if c == '"':
                    return ''.join(out), i + 1
                if c < ' ' and strict:
                    raise error('Invalid control character at', s, i)
                if c == '\\':
                    c = s[i + 1:i + 2]
                    if c == '':
                        raise error('Unterminated string starting at', s, start)
                    if c == 'u':
                        code = unicode(i + 1)
                        i += 4
                        if 0xd800 <= code < 0xdc00 and s[i + 2:i + 4] == '\\u':
                            low = unicode(i + 3)
                            if 0xdc00 <= low < 0xe000:
                                code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00))
                                i += 6
                        # Texts have no halves of surrogate pairs.
                        c = '\ufffd' if 0xd800 <= code < 0xe000 else chr(code)
                    elif c in plain_escapes:
                        c = plain_escapes[c]
                    else:
                        raise error('Invalid \\escape', s, i)
                    i += 1
                out.append(c)
                i += 1
        def members(i):
            pairs = []
            i = space(i)
            while s[i:i + 1] != '}' or pairs:
                if s[i:i + 1] != '"':
                    raise error('Expecting property name enclosed in double quotes', s, i)
                key, i = string(i + 1)
                i = space(i)
                if s[i:i + 1] != ':':
                    raise error("Expecting ':' delimiter", s, i)
                item, i = value(space(i + 1))
                pairs.append((key, item))
                i = space(i)
                if s[i:i + 1] == '}':
                    break
                if s[i:i + 1] != ',':
                    raise error("Expecting ',' delimiter", s, i)
                i = space(i + 1)
            if object_pairs_hook is not None:
                return object_pairs_hook(pairs), i + 1
            found = dict(pairs)
            return found if object_hook is None else object_hook(found), i + 1
        def items(i):
            out = []
            i = space(i)
            while s[i:i + 1] != ']' or out:
                item, i = value(i)
                out.append(item)
                i = space(i)
                if s[i:i + 1] == ']':
                    break
                if s[i:i + 1] != ',':
                    raise error("Expecting ',' delimiter", s, i)
                i = space(i + 1)
            return out, i + 1
        def value(i):
            c = s[i:i + 1]
            if c == '"':
                return string(i + 1)
            if c == '{':
                return members(i + 1)
            if c == '[':
                return items(i + 1)
            for word, meant in (('null', None), ('true', True), ('false', False)):
                if s[i:i + len(word)] == word:
                    return meant, i + len(word)
            for word in constants:
                if s[i:i + len(word)] == word:
                    return constants[word] if parse_constant is None else parse_constant(word), i + len(word)
            end = i
            while end < n and s[end] in '0123456789+-.eE':
                end += 1
            m = number.match(s[i:end])
            if m is None:
                raise error('Expecting value', s, i)
            text = m.group()
            if text == m.group(1):
                return int(text) if parse_int is None else parse_int(text), i + len(text)
            return float(text) if parse_float is None else parse_float(text), i + len(text)
        def whole():
            found, end = value(space(0))
            end = space(end)
            if end < n:
                raise error('Extra data', s, end)
            return found
        return value, whole
    def loads(text, *, cls=None, **options):
        options = {name: hook for name, hook in options.items() if hook is not None}
        if hasattr(text, '_rlm_bytes'):
            text = text._rlm_bytes()
        if cls is None and not options:
            try:
                return json.loads(text)
            except json.JSONDecodeError:
                s = text.decode() if type(text) is bytes else text
            decoder(s)[1]()
            return json.loads(text)
        if cls is not None:
            return cls(**options).decode(text)
        if type(text) not in (str, bytes):
            return json.loads(text)
        return decoder(text.decode() if type(text) is bytes else text, **options)[1]()
    def load(file, **options):
        return loads(file.read(), **options)
    class Decoder:
        def __init__(self, **options):
            self._options = options
        def decode(self, s):
            return decoder(s, **self._options)[1]()
        def raw_decode(self, s, idx=0):
            if idx < 0:
                raise ValueError('idx cannot be negative')
            return decoder(s, **self._options)[0](idx)
    class Encoder:
        def __init__(self, *, default=None, **options):
            self._options = options
            if default is not None:
                self.default = default
        def default(self, o):
            raise TypeError(f'Object of type {type(o).__name__} is not JSON serializable')
        def encode(self, o):
            return dumps(o, default=self.default, **self._options)
        def iterencode(self, o):
            return iter([self.encode(o)])
    return dumps, dump, loads, load, Decoder, Encoder
_rlm_dumps, _rlm_dump, _rlm_loads, _rlm_load_json, _rlm_json_Decoder, _rlm_json_Encoder = _rlm_load(type, isinstance, str, int, float, bool, bytes, dict, list, tuple, hasattr, len, chr, getattr, iter)
