# Reads and writes files in memory at places that are not there, and logs what cannot be said
import io, logging, pprint, ast, warnings
def go(f):
    try:
        print(str(f())[:60])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
s, b = io.StringIO('a\nb\r\n' * 9), io.BytesIO(b'ab')
class Says:
    def __repr__(self):
        logging.warning('%s', self)
        return 'x' * 100_000
    __str__ = __repr__
for f in (
    lambda: s.seek(-1), lambda: s.seek(10 ** 30), lambda: (b.seek(2 ** 22), b.write(b'x')), lambda: (s.seek(900_000), s.write('x'), len(s.getvalue())), lambda: s.truncate(2 ** 62), lambda: s.read(-2 ** 63), lambda: s.write(5), lambda: b.readinto(bytearray(9)), lambda: s.readlines(2 ** 62), lambda: [s.write('x' * 9000) for i in range(300)][-1],
    lambda: logging.warning('%d %s %(x)s', 1), lambda: logging.error('%*d', 10 ** 6, 1), lambda: logging.getLogger('a.' * 500).warning('x'), lambda: logging.basicConfig(format='%(message)' * 9000, level=10 ** 30), lambda: logging.warning(Says()), lambda: warnings.warn('x' * 2_000_000), lambda: len(pprint.pformat([Says()] * 9)), lambda: logging.exception(s),
    lambda: ast.literal_eval('[' * 9000), lambda: ast.literal_eval('-' * 9000 + '1'), lambda: ast.literal_eval('1+' * 900 + '1j'), lambda: ast.literal_eval('("' + 'a' * 9000 + '" "b")' * 9), lambda: ast.literal_eval('{' + '[]:1,' * 9 + '}'), lambda: open('/dev/zero').read(), lambda: open(10 ** 30), lambda: open('x' * 99_999, 'w' * 9999), lambda: print('x', file=s, end='y' * 9_000_000),
):
    go(f)
