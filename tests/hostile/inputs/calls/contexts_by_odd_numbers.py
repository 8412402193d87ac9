# Reads contexts at places and by names that no text has
numbers = [0, -1, 2 ** 63 - 1, -2 ** 63, 2 ** 63, -2 ** 64, 10 ** 1000, 1.5, float('nan'), True, None, '1', [], -0.0]
names = ['', '/', '../../etc/passwd', 'context', 'context_0', '\x00', 'x' * 1000000, None, 0, ['context'], b'context', 'é', '/dev/zero']
for name in names:
    for start in numbers:
        for length in numbers:
            try:
                print(read_context(name, start, length))
            except Exception as error:
                said = str(error)[:50]
    try:
        read_context(name=name, start=0, length=1, more=2), files[name], chunk_indices(10 ** 30, 1, -10 ** 30)
    except Exception as error:
        print(str(error)[:50])
chunk_indices(10 ** 9, 1)
