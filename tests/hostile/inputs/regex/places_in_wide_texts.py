# Asks for places of matches in texts whose letters are of different width, from odd places on
import re
wide = ('é' * 9 + '\U0001f600' * 9 + 'a' + '\u0301' * 9 + '\x00') * 300
p = re.compile('a|é')
def go(f):
    try:
        print(str(f())[:60])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
for where in ((0, 5), (2 ** 63,), (-2 ** 63, 2 ** 63), (5, 1), (-1,), (len(wide), len(wide)), (2 ** 64, -2 ** 64), (1.5,), (None,), (True, 10 ** 30)):
    go(lambda: p.search(wide, *where))
    go(lambda: len(p.findall(wide, *where)))
go(lambda: p.search(b'\xff'))
go(lambda: re.search(b'\xff', wide))
go(lambda: re.search(b'[\x80-\xff]+', bytes(range(256)) * 9))
go(lambda: re.search('\ud800', '\ud800'))
go(lambda: re.split('(?<=\U0001f600)', wide)[:2])
at = 0
while True:
    m = p.search(wide, at)
    at = m.end() if m else 0
