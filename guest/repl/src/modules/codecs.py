def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import base64, binascii
    letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    turned = 'NOPQRSTUVWXYZABCDEFGHIJKLMnopqrstuvwxyzabcdefghijklm'
    table = {letters[i]: turned[i] for i in range(52)}
    def rot13(text, errors='strict'):
        return ''.join([table.get(c, c) for c in text])
    def lines(data, errors='strict'):
        # Base64 in lines, as mail has it.
        return type(b'')().join([binascii.b2a_base64(data[i:i + 57]) for i in range(0, len(data), 57)])
    ways = {
        'rot13': (rot13, rot13), 'rot_13': (rot13, rot13),
        'hex': (lambda data, errors='strict': binascii.hexlify(data), lambda data, errors='strict': binascii.unhexlify(data)),
        'base64': (lines, lambda data, errors='strict': base64.b64decode(data)),
    }
    ways['hex_codec'], ways['base64_codec'] = ways['hex'], ways['base64']
    def way(encoding, at):
        found = ways.get(encoding.lower().replace('-', '_'))
        return None if found is None else found[at]
    def encode(obj, encoding='utf-8', errors='strict'):
        own = way(encoding, 0)
        return obj.encode(encoding, errors) if own is None else own(obj, errors)
    def decode(obj, encoding='utf-8', errors='strict'):
        own = way(encoding, 1)
        return obj.decode(encoding, errors) if own is None else own(obj, errors)
    return _rlm_Module('codecs', {
        'encode': encode, 'decode': decode, 'BOM_UTF8': b'\xef\xbb\xbf', 'BOM_UTF16_LE': b'\xff\xfe', 'BOM_UTF16_BE': b'\xfe\xff',
    })
_rlm_module_codecs = _rlm_load(*_rlm_kit['builtins'])
