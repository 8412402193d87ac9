def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import re
    bytes = type(b'')
    any_end = re.compile(r'[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+')
    def whole_number(value):
        if not isinstance(value, int):
            raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")
        return value
    def limit(size):
        if size is not None and not isinstance(size, int):
            raise TypeError(f"argument should be integer or None, not '{type(size).__name__}'")
        return None if size is None or size < 0 else size
    def joined(self):
        # Parts that were written last wait to be joined.
        if self.closed:
            raise ValueError(self._closed)
        if len(self._parts) > 1:
            self._parts[:] = [self._empty.join(self._parts)]
        return self._parts[0] if self._parts else self._empty
    def put(self, data):
        self._ahead = None
        if self._at == self._size:
            self._parts.append(data)
            self._size += len(data)
        else:
            old = joined(self)
            gap = self._zero * (self._at - self._size)
            self._parts[:] = [old[:self._at] + gap + data + old[self._at + len(data):]]
            self._size = len(self._parts[0])
        self._at += len(data)
    def split(text, end):
        if not end:
            return any_end.findall(text)
        *lines, last = text.split(end)
        lines = [line + end for line in lines]
        return [*lines, last] if last else lines
    def getvalue(self):
        return joined(self)
    def read(self, size=-1, /):
        data, count = joined(self), limit(size)
        start = self._at
        if start >= self._size or count == 0:
            return self._empty
        self._ahead = None
        self._at = self._size if count is None or start + count > self._size else start + count
        return data[start:self._at] if start or self._at < self._size else data
    def readline(self, size=-1, /):
        count = limit(size)
        if self.closed or self._ahead is None:
            self._ahead = split(joined(self)[self._at:], self._end)[::-1]
        if not self._ahead:
            return self._empty
        line = self._ahead.pop()
        if count is not None and count < len(line):
            self._ahead.append(line[count:])
            line = line[:count]
        self._at += len(line)
        return line
    def readlines(self, hint=None, /):
        most = (limit(hint) or self._size + 1) + (self._empty == '')
        lines, total = [], 0
        while total < most:
            line = readline(self)
            if not line:
                break
            lines.append(line)
            total += len(line)
        return lines
    def writelines(self, lines, /):
        for line in lines:
            self.write(line)
    def tell(self):
        joined(self)
        return self._at
    def truncate(self, size=None, /):
        data = joined(self)
        size = self._at if size is None else whole_number(size)
        if size < 0:
            raise ValueError(f'{self._negative} size value {size}')
        if size < self._size:
            self._ahead, self._parts, self._size = None, [data[:size]], size
        return size
    def flush(self):
        joined(self)
    def true(self):
        joined(self)
        return True
    def isatty(self):
        joined(self)
        return False
    def fileno(self):
        raise OSError('fileno')
    def close(self):
        self.closed = True
        self._parts = []
    def next(self):
        line = readline(self)
        if not line:
            raise StopIteration
        return line
    def same(self):
        if self.closed:
            raise ValueError('I/O operation on closed file.')
        return self
    def leave(self, *details):
        self.close()
    def seek(self, pos, whence=0, /):
        joined(self)
        whole_number(pos)
        if whence not in (0, 1, 2):
            raise ValueError(f'{"I" if self._empty == "" else "i"}nvalid whence ({whence}, should be 0, 1 or 2)')
        if whence == 0 and pos < 0:
            raise ValueError(f'{self._negative} seek {"position" if self._empty == "" else "value"} {pos}')
        if whence and pos and self._empty == '':
            raise OSError("Can't do nonzero cur-relative seeks")
        at = pos + (0, self._at, self._size)[whence]
        self._ahead, self._at = None, at if at > 0 else 0
        return self._at
    def begin(self, data):
        self.closed = False
        self._parts, self._size, self._at, self._ahead = [], 0, 0, None
        if data:
            self.write(data)
            self._at = 0
    class StringIO:
        _empty = ''
        _zero = '\0'
        _negative = 'Negative'
        _closed = 'I/O operation on closed file'
        encoding = None
        errors = None
        newlines = None
        line_buffering = False
        def __init__(self, initial_value='', newline='\n'):
            if initial_value is not None and not isinstance(initial_value, str):
                raise TypeError(f'initial_value must be str or None, not {type(initial_value).__name__}')
            if newline not in (None, '', '\n', '\r', '\r\n'):
                raise ValueError(f'illegal newline value: {newline!r}')
            self._newline, self._end = newline, '\n' if newline is None else newline
            begin(self, initial_value)
        def write(self, s, /):
            if not isinstance(s, str):
                raise TypeError(f"string argument expected, got '{type(s).__name__}'")
            if self.closed:
                raise ValueError(self._closed)
            if self._newline is None:
                put(self, s.replace('\r\n', '\n').replace('\r', '\n'))
            else:
                put(self, s.replace('\n', self._newline) if '\r' in self._newline else s)
            return len(s)
    class Buffer:
        # What is in a BytesIO, to be read.
        def __init__(self, data):
            self._data, self.nbytes, self.itemsize, self.format, self.readonly = data, len(data), 1, 'B', False
        def __getitem__(self, at):
            found = self._data[at]
            return Buffer(found) if isinstance(found, bytes) else found
        def __setitem__(self, at, value):
            raise NotImplementedError('writing through getbuffer() is not available in this sandbox; use seek() and write()')
        def __len__(self):
            return self.nbytes
        def __iter__(self):
            return iter(self._data)
        def __eq__(self, other):
            return self._data == (other._data if isinstance(other, Buffer) else other)
        def __bytes__(self):
            return self._data
        def __enter__(self):
            return self
        def __exit__(self, *details):
            pass
        def tobytes(self):
            return self._data
        def tolist(self):
            return [*self._data]
        def hex(self):
            return self._data.hex()
        def release(self):
            pass
    class BytesIO:
        _empty = b''
        _zero = b'\0'
        _negative = 'negative'
        _closed = 'I/O operation on closed file.'
        _end = b'\n'
        def __init__(self, initial_bytes=b''):
            begin(self, initial_bytes)
        def getbuffer(self):
            return Buffer(joined(self))
        def write(self, b, /):
            if not isinstance(b, bytes):
                raise TypeError(f"a bytes-like object is required, not '{type(b).__name__}'")
            if self.closed:
                raise ValueError(self._closed)
            put(self, b)
            return len(b)
    shared = {
        'getvalue': getvalue, 'read': read, 'read1': read, 'readline': readline, 'readlines': readlines,
        'writelines': writelines, 'seek': seek, 'tell': tell, 'truncate': truncate, 'flush': flush,
        'close': close, 'isatty': isatty, 'fileno': fileno, 'readable': true, 'writable': true, 'seekable': true,
        '__iter__': same, '__next__': next, '__enter__': same, '__exit__': leave,
    }
    for name, method in shared.items():
        setattr(StringIO, name, method)
        setattr(BytesIO, name, method)
    return _rlm_Module('io', {
        'StringIO': StringIO, 'BytesIO': BytesIO, 'UnsupportedOperation': OSError,
        'SEEK_SET': 0, 'SEEK_CUR': 1, 'SEEK_END': 2, 'DEFAULT_BUFFER_SIZE': 8192,
    })
_rlm_module_io = _rlm_load(*_rlm_kit['builtins'])
