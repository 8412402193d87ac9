# what is no text, or is no longer text when it is read
class A:
    def __str__(self): return 'print(1)'
    def __len__(self): return exec('import os')
for t in [b'print(1)', bytearray(b'print(2)'), b'\xff', b'\xef\xbb\xbfprint(3)', A(), A, 1, None, ['1'], print, (x for x in '1'), '\0', '\ud800', '1\0', '\ufeff1', ' 1', '\t1', '1\n', '\r1\r', '\x0c1', '1 # x', '', ' ', '#', '\\', '1;2', '_' * 99999, b'\x00' * 99, memoryview if 0 else b'\xfe\xff']:
    for f in [lambda t: eval(t), lambda t: exec(t), lambda t: eval(t, {}), lambda t: exec(t, {}, {})]:
        try: print(repr(f(t))[:20], end=' ')
        except Exception as e: print(type(e).__name__, end=' ')
