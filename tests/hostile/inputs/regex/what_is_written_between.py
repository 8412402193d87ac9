# Comments, spaces, flags inside and out, all flags at once, and flags that are none
import re
blank = ' \n\t# no more ( [ { than this\n' * 200
def go(f):
    try:
        print(str(f())[:60])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
go(lambda: re.match('(?x)' + blank + 'a' + blank + '{1,3}' + blank, 'aaa'))
go(lambda: re.match(blank + '[ # ]' + blank + '(?#' + ' ' * 9_999 + ')', '#', re.X))
go(lambda: re.compile('(?x: a (?-x: b (?x: c # d\n)))', re.VERBOSE).search('a b c'))
for flags in (2 ** 64, -1, 65535, 1.5, None, re.X | re.A | re.I | re.M | re.S | re.U, 4, 128, re.A | re.U, True, 'i', re.NOFLAG if hasattr(re, 'NOFLAG') else 0):
    go(lambda: re.compile('a b # (', flags).flags)
for pattern in ('(?aiLmsux)', '(?u-u)', '(?-)', '(?i-i:a)', 'a(?i)b', '(?z)', '(?x', '(?x)#', '(?x)\\ #\n(', '(?R)', '(?<U>)', '(?U)a*', '(?s-m:.*)\n', '(?x)[#', '#(?x)' * 500, '(?x) (?#\n)' * 900):
    go(lambda: re.search(pattern, 'ab\n' * 9, 64))
