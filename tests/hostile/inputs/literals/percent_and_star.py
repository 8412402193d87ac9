# widths that come from elsewhere, in each way to ask for them
n = 10 ** 6
for f in [lambda: '%*d' % (n, 1), lambda: '%.*f' % (n, 1.5), lambda: '%-*s' % (-n, ''), lambda: 'a'.center(n), lambda: '\t'.expandtabs(n),
          lambda: '{0:{1}}'.format(1, n), lambda: '{:{}.{}}'.format('a', n, n), lambda: b'a'.ljust(n), lambda: round(1.5, -n), lambda: round(10, n), lambda: f'{1:{n}}', lambda: '%c' % n, lambda: chr(n),
          lambda: (1).to_bytes(n), lambda: bytes(n), lambda: bytearray(n), lambda: '{:%Y}'.format(n), lambda: range(n ** 99)[-1], lambda: 'a' * -n ** 9, lambda: len(range(n ** 9)), lambda: 'ab'.join('a' * n), lambda: 'a'.zfill(n), lambda: 1 << n, lambda: 'a' * n * n]:
    try: print(len(repr(f())))
    except Exception as e: print(type(e).__name__, str(e)[:40])
