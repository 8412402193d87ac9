# Character classes of everything, in any case, of each other, and with ends that are none
import re, sys
def go(pattern, flags=0):
    try:
        print(str(re.findall(pattern, 'aé\U0001f600İſK߿\x00' * 9, flags))[:60])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
every = ''.join(chr(i) for i in range(0x100, 0x500))
go('[' + re.escape(every) + ']')
go('[' + re.escape(every) + ']+', re.I)
go('[^' + every[:5000] + ']*', re.I)
go('[' + 'a-z' * 3_000 + ']')
go('[' + '[:alpha:]' * 300 + ']')
go('[a&&[b--[c~~d]]||e]')
go('[' * 300 + 'a' + ']' * 300)
for pattern in (r'[\w\W\d\D\s\S]+', r'[^\w\W]', '[z-a]', '[\\d-z]', '[a-\\w]', '[]', '[^]', '[]a]', '[\ud800-\udfff]', '[\x00-\U0010ffff]{500}', r'[\U00110000]', r'\p{Greek}', r'\N{BULLET}', r'[\b]', r'\u', r'\x{110000}', r'\777'):
    go(pattern)
    go(pattern, re.I | re.A)
    go(f'(?:{pattern}){{30}}', re.I)
for i in range(500):
    go('(?i)' + r'[\w]' * i + '[^\x00-\U0010ffff]')
