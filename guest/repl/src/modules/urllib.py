def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import re
    dict, tuple, bytes, hashed = type({}), type(()), type(b''), hash
    plain = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~'
    scheme_letters = plain[:62] + '+-.'
    escapes = re.compile(r'((?:%[0-9a-fA-F]{2})+)')
    relative = ' ftp http gopher nntp imap wais file https shttp mms prospero rtsp rtsps rtspu sftp svn svn+ssh ws wss'.split(' ')
    located = relative + 'telnet snews rsync nfs git git+ssh'.split()
    with_params = ' ftp hdl prospero http imap https shttp rtsp rtsps rtspu sip sips mms sftp tel'.split(' ')
    def quote(string, safe='/', encoding=None, errors=None):
        if isinstance(string, str):
            string = string.encode(encoding or 'utf-8', errors or 'strict')
        elif encoding is not None or errors is not None:
            raise TypeError("quote() doesn't support 'encoding' or 'errors' for bytes")
        elif not isinstance(string, bytes):
            raise TypeError('quote_from_bytes() expected bytes')
        safe = safe if isinstance(safe, str) else safe.decode('utf-8')
        kept = {}
        for c in plain + safe:
            if c.isascii():
                kept[c.encode()[0]] = c
        return ''.join([kept[b] if b in kept else f'%{b:02X}' for b in string])
    def quote_plus(string, safe='', encoding=None, errors=None):
        if (b' ' if isinstance(string, bytes) else ' ') not in string:
            return quote(string, safe, encoding, errors)
        safe = safe if isinstance(safe, str) else safe.decode('utf-8')
        return quote(string, safe + ' ', encoding, errors).replace(' ', '+')
    def unquote(string, encoding='utf-8', errors='replace'):
        if '%' not in string:
            return string
        parts = escapes.split(string)
        for i in range(1, len(parts), 2):
            parts[i] = bytes.fromhex(parts[i].replace('%', '')).decode(encoding or 'utf-8', errors or 'replace')
        return ''.join(parts)
    def unquote_plus(string, encoding='utf-8', errors='replace'):
        return unquote(string.replace('+', ' '), encoding, errors)
    def urlencode(query, doseq=False, safe='', encoding=None, errors=None, quote_via=quote_plus):
        if isinstance(query, dict) or hasattr(query, 'items'):
            query = query.items()
        elif isinstance(query, (str, int)):
            raise TypeError('not a valid non-string sequence or mapping object')
        def shown(x):
            return quote_via(x if isinstance(x, (str, bytes)) else f'{x!s}', safe, encoding, errors)
        pairs = []
        for k, v in query:
            many = doseq and isinstance(v, (list, tuple, set, dict)) or doseq and hasattr(v, '__len__')
            for one in v if many else [v]:
                pairs.append(f'{shown(k)}={shown(one)}')
        return '&'.join(pairs)
    def parse_qsl(
        qs, keep_blank_values=False, strict_parsing=False, encoding='utf-8', errors='replace', max_num_fields=None,
        separator='&',
    ):
        found = []
        if max_num_fields is not None and max_num_fields < 1 + qs.count(separator):
            raise ValueError('Max number of fields exceeded')
        for field in qs.split(separator) if qs else []:
            name, equals, value = field.partition('=')
            if strict_parsing and not equals:
                raise ValueError(f'bad query field: {field!r}')
            if value or field and keep_blank_values:
                found.append((unquote_plus(name, encoding, errors), unquote_plus(value, encoding, errors)))
        return found
    def parse_qs(qs, *args, **named):
        found = {}
        for k, v in parse_qsl(qs, *args, **named):
            found.setdefault(k, []).append(v)
        return found
    class SplitResult:
        _fields = ('scheme', 'netloc', 'path', 'query', 'fragment')
        def geturl(self):
            return urlunsplit(self)
    class ParseResult:
        _fields = ('scheme', 'netloc', 'path', 'params', 'query', 'fragment')
        def geturl(self):
            return urlunparse(self)
    def begin(self, *values, **named):
        self._values = tuple([*values, *[named[name] for name in self._fields[len(values):]]])
        for name, value in zip(self._fields, self._values):
            setattr(self, name, value)
        user, at, host = self.netloc.rpartition('@')
        user, colon, password = user.partition(':')
        self.username = user if at else None
        self.password = password if colon else None
        if '[' in host:
            host, _, port = host.partition('[')[2].partition(']')
            port = port.partition(':')[2]
        else:
            host, _, port = host.partition(':')
        host, percent, zone = host.partition('%')
        self.hostname = host.lower() + percent + zone or None
        if not port or port.isdigit() and port.isascii() and int(port) < 65536:
            self._port, self._wrong = int(port) if port else None, ''
            return
        # A port that is none fails when it is asked for.
        self._wrong = f'Port could not be cast to integer value as {port!r}'
        if port.isdigit() and port.isascii():
            self._wrong = 'Port out of range 0-65535'
    def port(self):
        if self._wrong:
            raise ValueError(self._wrong)
        return self._port
    def changed(self, **named):
        values = self._asdict()
        values.update(named)
        return type(self)(**values)
    shared = {
        '__init__': begin, '_replace': changed, 'port': property(port),
        '_asdict': lambda self: dict(zip(self._fields, self._values)),
        '__iter__': lambda self: iter(self._values),
        '__getitem__': lambda self, i: self._values[i],
        '__len__': lambda self: len(self._values),
        '__contains__': lambda self, x: x in self._values,
        '__eq__': lambda self, other: self._values == (other._values if hasattr(other, '_values') else other),
        '__hash__': lambda self: hashed(self._values),
        '__lt__': lambda self, other: self._values < (other._values if hasattr(other, '_values') else other),
        '__repr__': lambda self: f"{type(self).__name__}({', '.join([f'{k}={v!r}' for k, v in self._asdict().items()])})",
    }
    for cls in (SplitResult, ParseResult):
        for name, member in shared.items():
            setattr(cls, name, member)
    def urlsplit(url, scheme='', allow_fragments=True):
        for unsafe in '\t\r\n':
            url = url.replace(unsafe, '')
            scheme = scheme.replace(unsafe, '')
        blank = ''.join([f'{i:c}' for i in range(33)])
        url, scheme = url.lstrip(blank), scheme.strip(blank)
        netloc = query = fragment = ''
        head, colon, rest = url.partition(':')
        if colon and head[:1].isascii() and head[:1].isalpha() and all(c in scheme_letters for c in head):
            scheme, url = head.lower(), rest
        if url[:2] == '//':
            end = min([i for i in [url.find(c, 2) for c in '/?#'] if i >= 0], default=len(url))
            netloc, url = url[2:end], url[end:]
            if ('[' in netloc) != (']' in netloc):
                raise ValueError('Invalid IPv6 URL')
        if allow_fragments:
            url, _, fragment = url.partition('#')
        url, _, query = url.partition('?')
        return SplitResult(scheme, netloc, url, query, fragment)
    def urlparse(url, scheme='', allow_fragments=True):
        scheme, netloc, path, query, fragment = urlsplit(url, scheme, allow_fragments)
        params = ''
        at = path.find(';', path.rfind('/') + 1)
        if scheme in with_params and at >= 0:
            path, params = path[:at], path[at + 1:]
        return ParseResult(scheme, netloc, path, params, query, fragment)
    def urlunsplit(components):
        scheme, netloc, path, query, fragment = components
        if netloc or scheme and scheme in located and path[:2] != '//':
            path = f"//{netloc}{'/' if path and path[:1] != '/' else ''}{path}"
        path = f'{scheme}:{path}' if scheme else path
        path = f'{path}?{query}' if query else path
        return f'{path}#{fragment}' if fragment else path
    def urlunparse(components):
        scheme, netloc, path, params, query, fragment = components
        return urlunsplit((scheme, netloc, f'{path};{params}' if params else path, query, fragment))
    def urljoin(base, url, allow_fragments=True):
        if not base or not url:
            return url or base
        old = urlparse(base, '', allow_fragments)
        new = urlparse(url, old.scheme, allow_fragments)
        if new.scheme != old.scheme or new.scheme not in relative:
            return url
        if new.scheme in located:
            if new.netloc:
                return new.geturl()
            new = new._replace(netloc=old.netloc)
        if not new.path and not new.params:
            return new._replace(path=old.path, params=old.params, query=new.query or old.query).geturl()
        steps = new.path.split('/')
        if new.path[:1] != '/':
            before = old.path.split('/')
            steps = (before if before[-1] == '' else before[:-1]) + steps
            steps = [step for i, step in enumerate(steps) if step or i == 0 or i == len(steps) - 1]
        path = []
        for step in steps:
            if step == '..':
                path = path[:-1]
            elif step != '.':
                path.append(step)
        if steps[-1] in ('.', '..'):
            path.append('')
        return new._replace(path='/'.join(path) or '/').geturl()
    parse = _rlm_Module('urllib.parse', {
        'quote': quote, 'quote_plus': quote_plus, 'unquote': unquote, 'unquote_plus': unquote_plus,
        'urlencode': urlencode, 'parse_qs': parse_qs, 'parse_qsl': parse_qsl, 'urlparse': urlparse, 'urlsplit': urlsplit,
        'urlunparse': urlunparse, 'urlunsplit': urlunsplit, 'urljoin': urljoin,
        'ParseResult': ParseResult, 'SplitResult': SplitResult,
    })
    return _rlm_Module('urllib', {'parse': parse})
_rlm_module_urllib = _rlm_load(*_rlm_kit['builtins'])
