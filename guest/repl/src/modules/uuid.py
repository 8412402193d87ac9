def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import hashlib, random
    # Scripts that seed `random` do not repeat their ids.
    own = random.Random()
    octets = type(b'')
    widths = (32, 16, 16, 8, 8, 48)
    def from_hex(text):
        digits = text.replace('urn:', '').replace('uuid:', '').strip('{}').replace('-', '')
        if len(digits) != 32:
            raise ValueError('badly formed hexadecimal UUID string')
        return int(digits, 16)
    def from_bytes(data, name):
        if len(data) != 16:
            raise ValueError(f'{name} is not a 16-char string')
        return int(data.hex(), 16)
    def from_fields(fields):
        if len(fields) != 6:
            raise ValueError('fields is not a 6-tuple')
        value = 0
        for i, (field, width) in enumerate(zip(fields, widths)):
            if not 0 <= field < 1 << width:
                raise ValueError(f'field {i + 1} out of range (need a{"n" if width == 8 else ""} {width}-bit value)')
            value = value << width | field
        return value
    def swapped(data):
        return data[3::-1] + data[5:3:-1] + data[7:5:-1] + data[8:]
    class UUID:
        def __init__(self, hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None, *, is_safe=None):
            if [hex, bytes, bytes_le, fields, int].count(None) != 4:
                raise TypeError('one of the hex, bytes, bytes_le, fields, or int arguments must be given')
            if hex is not None:
                value = from_hex(hex)
            elif bytes_le is not None:
                value = from_bytes(swapped(bytes_le) if len(bytes_le) == 16 else bytes_le, 'bytes_le')
            elif bytes is not None:
                value = from_bytes(bytes, 'bytes')
            elif fields is not None:
                value = from_fields(fields)
            else:
                value = int
            if not 0 <= value < 1 << 128:
                raise ValueError('int is out of range (need a 128-bit value)')
            if version is not None:
                if not 1 <= version <= 5:
                    raise ValueError('illegal version number')
                value = value & ~(0xf << 76 | 3 << 62) | version << 76 | 1 << 63
            fill(self, value)
        def __str__(self):
            h = self.hex
            return f'{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}'
        def __repr__(self):
            return f"UUID('{self}')"
        def __int__(self):
            return self.int
        def __hash__(self):
            return self.int % 0x1fffffffffffffff
        def __eq__(self, other):
            return self.int == other.int if isinstance(other, UUID) else NotImplemented
        def __lt__(self, other):
            return self.int < other.int if isinstance(other, UUID) else NotImplemented
        def __gt__(self, other):
            return self.int > other.int if isinstance(other, UUID) else NotImplemented
        def __le__(self, other):
            return self.int <= other.int if isinstance(other, UUID) else NotImplemented
        def __ge__(self, other):
            return self.int >= other.int if isinstance(other, UUID) else NotImplemented
    def fill(self, value):
        self.int = value
        self.hex = f'{value:032x}'
        self.bytes = octets.fromhex(self.hex)
        self.bytes_le = swapped(self.bytes)
        self.urn = f'urn:uuid:{self}'
        parts, rest = [], value
        for width in widths[::-1]:
            parts = [rest & (1 << width) - 1, *parts]
            rest >>= width
        self.fields = (*parts,)
        self.time_low, self.time_mid, self.time_hi_version = parts[:3]
        self.clock_seq_hi_variant, self.clock_seq_low, self.node = parts[3:]
        self.time = (parts[2] & 0xfff) << 48 | parts[1] << 32 | parts[0]
        self.clock_seq = (parts[3] & 0x3f) << 8 | parts[4]
        top = parts[3] >> 5
        self.variant = variants[0 if top < 4 else 1 if top < 6 else top - 4]
        self.version = parts[2] >> 12 if 4 <= top < 6 else None
        # As in CPython; those of the module are shared by all scripts of a session.
        self._frozen = True
    variants = ('reserved for NCS compatibility', 'specified in RFC 4122',
                'reserved for Microsoft compatibility', 'reserved for future definition')
    def named(hasher, version):
        def make(namespace, name):
            data = name if isinstance(name, octets) else name.encode()
            return UUID(bytes=hasher(namespace.bytes + data).digest()[:16], version=version)
        return make
    def uuid4():
        return UUID(int=own.getrandbits(128), version=4)
    spaces = {f'NAMESPACE_{name}': UUID(f'6ba7b81{i}-9dad-11d1-80b4-00c04fd430c8')
              for name, i in (('DNS', 0), ('URL', 1), ('OID', 2), ('X500', 4))}
    return _rlm_Module('uuid', {
        'UUID': UUID, 'uuid3': named(lambda x: hashlib.md5(x), 3), 'uuid4': uuid4, 'uuid5': named(lambda x: hashlib.sha1(x), 5),
        'RESERVED_NCS': variants[0], 'RFC_4122': variants[1], 'RESERVED_MICROSOFT': variants[2],
        'RESERVED_FUTURE': variants[3], **spaces,
    })
_rlm_module_uuid = _rlm_load(*_rlm_kit['builtins'])
