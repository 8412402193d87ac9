def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import base64, random
    # Scripts that seed `random` do not repeat these.
    own = random.Random()
    bytes = type(b'')
    def token_bytes(nbytes=None):
        count = 32 if nbytes is None else nbytes
        return bytes.fromhex(f'{own.getrandbits(8 * count):0{2 * count}x}') if count else b''
    def token_hex(nbytes=None):
        return token_bytes(nbytes).hex()
    def token_urlsafe(nbytes=None):
        return base64.urlsafe_b64encode(token_bytes(nbytes)).rstrip(b'=').decode()
    def randbelow(exclusive_upper_bound):
        if exclusive_upper_bound <= 0:
            raise ValueError('Upper bound must be positive.')
        return own.randrange(exclusive_upper_bound)
    def compare_digest(a, b, /):
        return a == b
    return _rlm_Module('secrets', {
        'token_bytes': token_bytes, 'token_hex': token_hex, 'token_urlsafe': token_urlsafe, 'randbelow': randbelow,
        'randbits': lambda k: own.getrandbits(k), 'choice': lambda seq: own.choice(seq), 'compare_digest': compare_digest,
        'SystemRandom': lambda: random.Random(), 'DEFAULT_ENTROPY': 32,
    })
_rlm_module_secrets = _rlm_load(*_rlm_kit['builtins'])
