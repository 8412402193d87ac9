def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    from binascii import crc32 as crc
    def crc32(data, value=0, /):
        return crc(data, value & 0xffffffff)
    def adler32(data, value=1, /):
        if isinstance(data, str):
            raise TypeError("a bytes-like object is required, not 'str'")
        low, high = value & 0xffff, value >> 16 & 0xffff
        for byte in data:
            low += byte
            high += low
        return high % 65521 << 16 | low % 65521
    return _rlm_Module('zlib', {'crc32': crc32, 'adler32': adler32})
_rlm_module_zlib = _rlm_load(*_rlm_kit['builtins'])
