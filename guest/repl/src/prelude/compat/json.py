# What `json` lacks: `default`, hooks, and Python's words for what is wrong; see
# `compat/calls.rs`.
def _rlm_load(type, isinstance, str, int, float, bool, bytes, dict, list, tuple, hasattr, len):
    import json
    def dumps(value, *, default=None, **rest):
        def plain(v):
            t = type(v)
            if v is None or t in (str, int, float, bool):
                return v
            if isinstance(v, dict):
                return {k: plain(x) for k, x in v.items()}
            if isinstance(v, (list, tuple)) or hasattr(v, '_fields'):
                return [plain(x) for x in v]
            if hasattr(v, '_rlm_plain'):
                return plain(v._rlm_plain())
            return v if default is None else plain(default(v))
        return json.dumps(plain(value), **rest)
    def loads(text, *, object_hook=None, object_pairs_hook=None, **rest):
        try:
            value = json.loads(text, **rest)
        except json.JSONDecodeError as error:
            found = complaint(text.decode() if type(text) is bytes else text)
            if found is None:
                raise
            words, at = found
            line = text.count('\n', 0, at) + 1
            column = at - text.rfind('\n', 0, at)
            raise json.JSONDecodeError(f'{words}: line {line} column {column} (char {at})')
        if object_hook is None and object_pairs_hook is None:
            return value
        def hooked(v):
            if type(v) is list:
                return [hooked(x) for x in v]
            if type(v) is not dict:
                return v
            pairs = [(k, hooked(x)) for k, x in v.items()]
            return object_pairs_hook(pairs) if object_pairs_hook else object_hook(dict(pairs))
        return hooked(value)
    def complaint(s):
        # Where Python would stop, and what it would say.
        n = len(s)
        def space(i):
            while i < n and s[i] in ' \t\n\r':
                i += 1
            return i
        def string(i):
            start = i - 1
            while i < n and s[i] != '"':
                if s[i] < ' ':
                    return None, ('Invalid control character at', i)
                if s[i] == '\\':
                    if i + 1 >= n:
                        return None, ('Unterminated string starting at', start)
                    if s[i + 1] == 'u':
                        if len([c for c in s[i + 2:i + 6] if c in '0123456789abcdefABCDEF']) < 4:
                            return None, ('Invalid \\uXXXX escape', i + 1)
                        i += 4
                    elif s[i + 1] not in '"\\/bfnrt':
                        return None, ('Invalid \\escape', i)
                    i += 1
                i += 1
            if i >= n:
                return None, ('Unterminated string starting at', start)
            return i + 1, None
        def value(i):
            c = s[i:i + 1]
            if c == '"':
                return string(i + 1)
            if c == '{':
                i = space(i + 1)
                if s[i:i + 1] == '}':
                    return i + 1, None
                while True:
                    if s[i:i + 1] != '"':
                        return None, ('Expecting property name enclosed in double quotes', i)
                    i, wrong = string(i + 1)
                    if wrong:
                        return None, wrong
                    i = space(i)
                    if s[i:i + 1] != ':':
                        return None, ("Expecting ':' delimiter", i)
                    i, wrong = value(space(i + 1))
                    if wrong:
                        return None, wrong
                    i = space(i)
                    if s[i:i + 1] == '}':
                        return i + 1, None
                    if s[i:i + 1] != ',':
                        return None, ("Expecting ',' delimiter", i)
                    i = space(i + 1)
            if c == '[':
                i = space(i + 1)
                if s[i:i + 1] == ']':
                    return i + 1, None
                while True:
                    i, wrong = value(i)
                    if wrong:
                        return None, wrong
                    i = space(i)
                    if s[i:i + 1] == ']':
                        return i + 1, None
                    if s[i:i + 1] != ',':
                        return None, ("Expecting ',' delimiter", i)
                    i = space(i + 1)
            for word in ('null', 'true', 'false', 'NaN', 'Infinity', '-Infinity'):
                if s[i:i + len(word)] == word:
                    return i + len(word), None
            m = number.match(s[i:])
            if m:
                return i + m.end(), None
            return None, ('Expecting value', i)
        end, wrong = value(space(0))
        if wrong:
            return wrong
        end = space(end)
        return None if end >= n else ('Extra data', end)
    import re
    number = re.compile(r'-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?')
    return dumps, loads
_rlm_dumps, _rlm_loads = _rlm_load(type, isinstance, str, int, float, bool, bytes, dict, list, tuple, hasattr, len)
