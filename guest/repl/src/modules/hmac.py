def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import hashlib
    bytes = type(b'')
    def compare_digest(a, b, /):
        if isinstance(a, str) != isinstance(b, str):
            raise TypeError("unsupported operand types(s) or combination of types: " + f"'{type(a).__name__}' and '{type(b).__name__}'")
        return a == b
    def mixed(key, pad):
        return bytes.fromhex(''.join([f'{byte ^ pad:02x}' for byte in key]))
    class HMAC:
        def __init__(self, key, msg=None, digestmod=''):
            if not isinstance(key, bytes):
                raise TypeError(f'key: expected bytes or bytearray, but got {type(key).__name__!r}')
            if not digestmod:
                raise TypeError("Missing required argument 'digestmod'.")
            self._make = (lambda data: hashlib.new(digestmod, data)) if isinstance(digestmod, str) else digestmod
            inner = self._make(b'')
            self.block_size, self.digest_size, self.name = inner.block_size, inner.digest_size, f'hmac-{inner.name}'
            self._key = self._make(key).digest() if len(key) > self.block_size else key
            self._key += bytes(self.block_size - len(self._key))
            self._data = b''
            if msg is not None:
                self.update(msg)
        def update(self, msg):
            if isinstance(msg, str):
                raise TypeError('Strings must be encoded before hashing')
            self._data += msg
        def digest(self):
            inner = self._make(mixed(self._key, 0x36) + self._data).digest()
            return self._make(mixed(self._key, 0x5c) + inner).digest()
        def hexdigest(self):
            return self.digest().hex()
        def copy(self):
            other = HMAC(self._key, self._data, self._make)
            return other
    def new(key, msg=None, digestmod=''):
        return HMAC(key, msg, digestmod)
    def digest(key, msg, digest):
        return HMAC(key, msg, digest).digest()
    return _rlm_Module('hmac', {'new': new, 'digest': digest, 'HMAC': HMAC, 'compare_digest': compare_digest})
_rlm_module_hmac = _rlm_load(*_rlm_kit['builtins'])
