def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    error = _rlm_failure('struct', 'error')
    import math
    tuple, bytes = type(()), type(b'')
    integers = {'b': 1, 'h': 2, 'i': 4, 'l': 4, 'q': 8, 'n': 8}
    # Bits of the exponent and of the fraction.
    floats = {'e': (5, 10), 'f': (8, 23), 'd': (11, 52)}
    sizes = {'x': 1, 'c': 1, 's': 1, 'p': 1, '?': 1, 'e': 2, 'f': 4, 'd': 8, 'P': 8}
    words = {'b': 'byte', 'B': 'ubyte', 'h': 'short', 'H': 'ushort'}
    def parsed(format):
        if isinstance(format, bytes):
            format = format.decode('ascii')
        if not isinstance(format, str):
            raise TypeError(f'Struct() argument 1 must be a str or bytes object, not {type(format).__name__}')
        mark = format[:1] if format[:1] and format[:1] in '@=<>!' else ''
        is_native = mark in ('', '@')
        fields = []
        offset = 0
        count = ''
        for c in format[len(mark):]:
            if c.isdigit():
                count += c
            elif c.isspace() and not count:
                continue
            else:
                size = integers[c.lower()] if c.lower() in integers else sizes[c] if c in sizes else 0
                if not size or c in 'nNP' and not is_native:
                    raise error('bad char in struct format')
                if is_native:
                    size = 8 if c in 'lL' else size
                    offset += -offset % size
                times = int(count) if count else 1
                count = ''
                if c in 'sp':
                    fields.append((c, offset, times))
                elif c != 'x':
                    fields.extend([(c, offset + i * size, size) for i in range(times)])
                offset += times * size
        if count:
            raise error('repeat count given without format specifier')
        return fields, offset, mark not in ('>', '!')
    def fitted(c, size, value):
        if not isinstance(value, int):
            if not hasattr(value, '__index__'):
                raise error('required argument is not an integer')
            value = value.__index__()
        bits = size * 8
        if c == 'P':
            return value & (1 << bits) - 1
        least = 0 if c.isupper() else -(1 << bits - 1)
        most = least + (1 << bits) - 1
        if not least <= value <= most:
            if c in words:
                raise error(f'{words[c]} format requires {least} <= number <= {most}')
            if bits == 64 or c.isupper() and value < 0:
                raise error('argument out of range')
            raise error(f"'{c}' format requires {least} <= number <= {most}")
        return value if value >= 0 else value + (1 << bits)
    def coded(c, value):
        if not isinstance(value, (int, float)):
            raise error('required argument is not a float')
        wide, narrow = floats[c]
        x = float(value)
        sign = (math.copysign(1.0, x) < 0) << wide + narrow
        full = (1 << wide) - 1
        if x != x:
            return sign | full << narrow | 1 << narrow - 1
        x = abs(x)
        if x == math.inf:
            return sign | full << narrow
        if x == 0:
            return sign
        fraction, exponent = math.frexp(x)
        mantissa = int(math.ldexp(fraction, 53))
        biased = exponent - 1 + (full >> 1)
        lost = 52 - narrow + (0 if biased > 0 else 1 - biased)
        kept, rest = mantissa >> lost, mantissa & (1 << lost) - 1
        # Halves go to the even side.
        if 2 * rest > 1 << lost or 2 * rest == 1 << lost and lost and kept & 1:
            kept += 1
        code = kept + ((biased - 1 << narrow) if biased > 0 else 0)
        if code >= full << narrow:
            raise OverflowError(f'float too large to pack with {c} format')
        return sign | code
    def decoded(c, code):
        wide, narrow = floats[c]
        full = (1 << wide) - 1
        exponent, fraction = code >> narrow & full, code & (1 << narrow) - 1
        if exponent == full:
            x = math.nan if fraction else math.inf
        else:
            whole = fraction | (1 << narrow if exponent else 0)
            x = math.ldexp(whole, (exponent or 1) - (full >> 1) - narrow)
        return -x if code >> wide + narrow else x
    def written(c, size, value, is_little):
        if c in 'sp':
            if not isinstance(value, bytes):
                raise error(f"argument for '{c}' must be a bytes object")
            if c == 'p' and size:
                value = value[:size - 1]
                value = bytes.fromhex(f'{min(len(value), 255):02x}') + value
            return value[:size] + bytes(size - len(value[:size]))
        if c == 'c':
            if not isinstance(value, bytes) or len(value) != 1:
                raise error('char format requires a bytes object of length 1')
            return value
        if c == '?':
            code = 1 if value else 0
        else:
            code = coded(c, value) if c in floats else fitted(c, size, value)
        data = bytes.fromhex(f'{code:0{2 * size}x}')
        return data[::-1] if is_little else data
    def read(c, data, is_little):
        if c == 'p':
            return data[1:1 + data[0]] if data else b''
        if c in 'sc':
            return data
        code = int((data[::-1] if is_little else data).hex(), 16)
        if c == '?':
            return code != 0
        if c in floats:
            return decoded(c, code)
        bits = len(data) * 8
        return code - (1 << bits) if c.islower() and code >> bits - 1 else code
    def given(buffer):
        if not isinstance(buffer, bytes):
            raise TypeError(f"a bytes-like object is required, not '{type(buffer).__name__}'")
        return buffer
    def calcsize(format):
        return parsed(format)[1]
    def pack(format, *values):
        fields, size, is_little = parsed(format)
        if len(fields) != len(values):
            raise error(f'pack expected {len(fields)} items for packing (got {len(values)})')
        parts = []
        done = 0
        for (c, offset, width), value in zip(fields, values):
            parts.append(bytes(offset - done))
            parts.append(written(c, width, value, is_little))
            done = offset + width
        parts.append(bytes(size - done))
        return b''.join(parts)
    def taken(parts, buffer, start):
        fields, _, is_little = parts
        return tuple([read(c, buffer[start + at:start + at + width], is_little) for c, at, width in fields])
    def unpack(format, buffer):
        parts = parsed(format)
        if len(given(buffer)) != parts[1]:
            raise error(f'unpack requires a buffer of {parts[1]} bytes')
        return taken(parts, buffer, 0)
    def unpack_from(format, buffer, offset=0):
        parts = parsed(format)
        size, room = parts[1], len(given(buffer))
        if offset < 0:
            if offset + size > 0:
                raise error(f'not enough data to unpack {size} bytes at offset {offset}')
            if offset + room < 0:
                raise error(f'offset {offset} out of range for {room}-byte buffer')
            offset += room
        if room - offset < size:
            raise error(
                f'unpack_from requires a buffer of at least {size + offset} bytes for unpacking {size} bytes '
                f'at offset {offset} (actual buffer size is {room})'
            )
        return taken(parts, buffer, offset)
    def iter_unpack(format, buffer):
        parts = parsed(format)
        size = parts[1]
        if not size:
            raise error('cannot iteratively unpack with a struct of length 0')
        if len(given(buffer)) % size:
            raise error(f'iterative unpacking requires a buffer of a multiple of {size} bytes')
        return iter([taken(parts, buffer, i) for i in range(0, len(buffer), size)])
    class Struct:
        def __init__(self, format):
            self.format = format
            self.size = calcsize(format)
            self.pack = lambda *values: pack(format, *values)
            self.unpack = lambda buffer: unpack(format, buffer)
            self.unpack_from = lambda buffer, offset=0: unpack_from(format, buffer, offset)
            self.iter_unpack = lambda buffer: iter_unpack(format, buffer)
    return _rlm_Module('struct', {
        'pack': pack, 'unpack': unpack, 'unpack_from': unpack_from, 'iter_unpack': iter_unpack,
        'calcsize': calcsize, 'Struct': Struct, 'error': error,
    })
_rlm_module_struct = _rlm_load(*_rlm_kit['builtins'])
