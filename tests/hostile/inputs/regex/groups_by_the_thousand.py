# More groups than anybody counts, named, empty, nested, and asked for one by one
import re
def go(f):
    try:
        print(str(f())[:60])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
go(lambda: len(re.match('()' * 2_000, '').groups()))
go(lambda: len(re.match('(a)?' * 500, 'a').groups()))
go(lambda: re.match('(' * 200 + 'a' + ')' * 200, 'a').group(200))
go(lambda: len(re.match(''.join(f'(?P<n{i}>)' for i in range(900)), '').groupdict()))
go(lambda: len(re.findall('(a)' + '(b)?' * 300, 'a' * 2_000)))
go(lambda: re.match('(a)', 'a').group(2 ** 64))
go(lambda: re.match('(a)', 'a').group(-1))
go(lambda: re.match('(a)', 'a').group(*[1] * 10_000)[:1])
go(lambda: re.match('(a)', 'a')['x' * 1_000_000])
go(lambda: re.match('(a)', 'a').expand(r'\1' * 5_000)[:1])
go(lambda: re.split('(' * 90 + ',' + ')' * 90, ',' * 90)[:2])
go(lambda: re.match('((((((((((((((((((((.+)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*$', 'a' * 5000 + '\n\n'))
