# Opens every file in every way, by names that lead out, in, round and nowhere
import io
paths = ['/etc/passwd', '/proc/self/mem', '/dev/zero', '/dev/fd/0', '../' * 50 + 'etc/shadow', 'context', 'context.txt', '/', '.', '', 'x' * 100000, '\x00', 'a\x00b', '//server/share', 'C:\\con', 'file:///etc/passwd', 'é' * 5000, 0, 1, 2, -1, b'/etc/passwd', None, 10 ** 30, True, 1.5, ['x']]
modes = ['r', 'rb', 'w', 'wb', 'a', 'x', 'r+', 'w+b', 'rt', 'U', '', 'rw', 'q', 'r' * 1000, None, 5]
for path in paths:
    for mode in modes:
        for way in (lambda: open(path, mode), lambda: open(file=path, mode=mode, buffering=0), lambda: open(path, mode, encoding='x' * 100), lambda: open(path, mode, opener=print), lambda: open(path, mode, closefd=False)):
            try:
                with way() as f:
                    print(path, mode, f.read(10 ** 9), f.write('x'), f.fileno(), f)
            except Exception as error:
                said = str(error)
    try:
        print(files[path], read_context(path), io.open(path))
    except Exception as error:
        said = str(error)
print(said)
