# Encodes, decodes, hashes and unpacks giants, with lengths and rounds that are no numbers
import base64, hashlib, binascii, zlib, struct, hmac, codecs
big = bytes(range(256)) * 4000
def go(f):
    try:
        print(str(f())[:60])
    except BaseException as e:
        print(type(e).__name__, str(e)[:60])
for f in (
    lambda: len(base64.b64decode(base64.b64encode(big))), lambda: base64.b64decode('=' * 999_999), lambda: base64.b64decode(b'A' * 999_999, validate=True), lambda: len(base64.b85encode(big[:9999])), lambda: base64.b32decode('é'), lambda: base64.b16decode('zz'),
    lambda: binascii.unhexlify('0' * 999_999), lambda: binascii.crc32(big, -1), lambda: len(binascii.hexlify(big, ' ', 2 ** 31)), lambda: zlib.adler32(big[:9000]), lambda: zlib.crc32(big, 2 ** 70), lambda: zlib.decompress(b'x\x9c' + b'\x00' * 99), lambda: hashlib.sha256(big * 4).hexdigest(),
    lambda: hashlib.new('md5', big), lambda: hashlib.new('x' * 99_999), lambda: lambda: hashlib.blake2b(digest_size=2 ** 40), lambda: hashlib.pbkdf2_hmac('sha256', b'', b'', 2 ** 31), lambda: hashlib.scrypt(b'', salt=b'', n=2 ** 30, r=8, p=1), lambda: hmac.new(big, big, 'sha1').digest(),
    lambda: struct.pack('>999999x'), lambda: struct.unpack('10000c', big[:10_000])[:1], lambda: struct.calcsize('9' * 99 + 'q'), lambda: struct.pack('f' * 9999, *[1e308] * 9999), lambda: struct.unpack('e' * 9, b'\xff' * 18), lambda: struct.pack('(' * 99), lambda: codecs.encode('a' * 99_999, 'rot13')[:1], lambda: hmac.compare_digest('a' * 99, 'é'),
    lambda: hashlib.sha256('x'), lambda: [hashlib.sha512(big).update(big) for i in range(10 ** 6)],
):
    go(f)
