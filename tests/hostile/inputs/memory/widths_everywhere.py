# Asks for giant texts by a width, in every way there is to give one; the last is too large
n = 9_000_000
def go(f):
    try:
        print(len(f()))
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
for f in (
    lambda: f'{"":{n}}', lambda: f'{1:{n}}', lambda: f'{1.5:{"0" * 1}{n}}', lambda: f'{1:.{n}f}', lambda: f'{"a":{f"{n}"}}',
    lambda: '{:{}}'.format('', n), lambda: '{:>{w}.{w}}'.format('x', w=n), lambda: '%*d' % (n, 1), lambda: '%-*s' % (n, 'a'),
    lambda: '%.*f' % (n, 1.0), lambda: '%.*e' % (n, 1.0), lambda: 'a'.ljust(n), lambda: 'a'.rjust(n, 'é'), lambda: 'a'.center(n, '\U0001f600'),
    lambda: 'a'.zfill(n), lambda: b'a'.ljust(n), lambda: b'a'.zfill(n), lambda: '\t'.expandtabs(n), lambda: b'\t\t'.expandtabs(n),
    lambda: format(2 ** 70, f'#0{n}x'), lambda: format(1, f'{n},'), lambda: format(True, f'^{n}'), lambda: f'{"a":{n}{"}"}}',
    lambda: '{0:{1}}{0:{1}}{0:{1}}'.format(1, n // 3), lambda: f'{1e300:{n}.{n}%}', lambda: '%0999999999d' % 1, lambda: '{:99999999999999999999}'.format(1),
):
    go(f)
