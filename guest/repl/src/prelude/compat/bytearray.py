# `bytearray`, as a list of numbers; see `compat/calls.rs`. Scripts that
# have one get `+=` from ours, so that it changes the one there is.
def _rlm_load(type, len, str, bytes, int, list, slice, hasattr, isinstance, range, iter):
    import binascii
    def made(digits):
        return binascii.unhexlify(''.join([f'{d:02x}' for d in digits]))
    def digit(d):
        if not isinstance(d, int):
            raise TypeError(f"'{type(d).__name__}' object cannot be interpreted as an integer")
        if not 0 <= d < 256:
            raise ValueError('byte must be in range(0, 256)')
        return int(d)
    def plain(x):
        return x._rlm_bytes() if hasattr(x, '_rlm_bytes') else x
    class bytearray:
        def __init__(self, source=b'', encoding=None, errors='strict'):
            if type(source) is str:
                if encoding is None:
                    raise TypeError('string argument without an encoding')
                source = source.encode(encoding, errors)
            if isinstance(source, int):
                if source < 0:
                    raise ValueError('negative count')
                self._d = [0] * source
            else:
                self._d = [digit(d) for d in source]
        def _rlm_bytes(self):
            return made(self._d)
        def __bytes__(self):
            return made(self._d)
        def _new(self, digits):
            new = bytearray()
            new._d = [*digits]
            return new
        def __getitem__(self, k):
            if type(k) is slice:
                return self._new(self._d[k])
            if not -len(self._d) <= k < len(self._d):
                raise IndexError('bytearray index out of range')
            return self._d[k]
        def __setitem__(self, k, value):
            if type(k) is slice:
                self._d[k] = [0] * value if isinstance(value, int) else [digit(d) for d in value]
            elif not -len(self._d) <= k < len(self._d):
                raise IndexError('bytearray index out of range')
            else:
                self._d[k] = digit(value)
        def __delitem__(self, k):
            if type(k) is not slice:
                self._d.pop(k)
                return
            gone = {*[*range(len(self._d))][k]}
            self._d = [self._d[i] for i in range(len(self._d)) if i not in gone]
        def __len__(self):
            return len(self._d)
        def __iter__(self):
            return iter(self._d)
        def __contains__(self, x):
            return x in made(self._d)
        def __eq__(self, other):
            other = plain(other)
            return type(other) is bytes and made(self._d) == other
        def __add__(self, other):
            other = plain(other)
            if type(other) is not bytes:
                raise TypeError(f"can't concat {type(other).__name__} to bytearray")
            return self._new([*self._d, *other])
        def __radd__(self, other):
            return other + made(self._d) if type(other) is bytes else NotImplemented
        def __iadd__(self, other):
            other = plain(other)
            if type(other) is not bytes:
                raise TypeError(f"can't concat {type(other).__name__} to bytearray")
            self.extend(other)
            return self
        def __mul__(self, n):
            return self._new(self._d * n)
        def __rmul__(self, n):
            return self._new(self._d * n)
        def __imul__(self, n):
            self._d *= n
            return self
        def __repr__(self):
            return f'bytearray({made(self._d)!r})'
        def append(self, d):
            self._d.append(digit(d))
        def extend(self, digits):
            self._d.extend([digit(d) for d in digits])
        def insert(self, i, d):
            self._d.insert(i, digit(d))
        def pop(self, i=-1):
            if not self._d:
                raise IndexError('pop from empty bytearray')
            return self._d.pop(i)
        def remove(self, d):
            if d not in self._d:
                raise ValueError('value not found in bytearray')
            self._d.remove(d)
        def reverse(self):
            self._d.reverse()
        def clear(self):
            self._d.clear()
        def copy(self):
            return self._new(self._d)
        def decode(self, *how, **named):
            return made(self._d).decode(*how, **named)
        def hex(self, *how):
            return made(self._d).hex(*how)
        def find(self, x, *where):
            return made(self._d).find(made([x]) if isinstance(x, int) else plain(x), *where)
        def rfind(self, x, *where):
            return made(self._d).rfind(made([x]) if isinstance(x, int) else plain(x), *where)
        def index(self, x, *where):
            return made(self._d).index(made([x]) if isinstance(x, int) else plain(x), *where)
        def count(self, x, *where):
            return made(self._d).count(made([x]) if isinstance(x, int) else plain(x), *where)
        def startswith(self, x, *where):
            return made(self._d).startswith(plain(x), *where)
        def endswith(self, x, *where):
            return made(self._d).endswith(plain(x), *where)
        def upper(self):
            return self._new(made(self._d).upper())
        def lower(self):
            return self._new(made(self._d).lower())
        def strip(self, *what):
            return self._new(made(self._d).strip(*what))
        def replace(self, old, new, *count):
            return self._new(made(self._d).replace(plain(old), plain(new), *count))
        def split(self, *how):
            return [self._new(part) for part in made(self._d).split(*how)]
        def join(self, parts):
            return self._new(made(self._d).join([plain(part) for part in parts]))
    return bytearray
_rlm_bytearray = _rlm_load(type, len, str, bytes, int, list, slice, hasattr, isinstance, range, iter)
