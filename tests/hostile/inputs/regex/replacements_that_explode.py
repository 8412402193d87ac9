# Replacements that make much of little: templates, whole matches, and functions that give giants
import re
def go(f):
    try:
        print(len(f()))
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
text = 'a' * 300
go(lambda: re.sub('(a*)', r'\1\1\1\1\1\1\1\1', text))
go(lambda: re.sub('(?=(a*))', r'\1', text))
go(lambda: re.sub('', '-' * 9000, text))
go(lambda: re.sub('a', r'\g<0>' * 9000, text))
go(lambda: re.sub('(?P<n>a)', r'\g<n>' * 90_000, 'aa'))
go(lambda: re.sub('a', '\\', text))
go(lambda: re.sub('a', r'\g<', text))
go(lambda: re.sub('a', r'\g<99999999999999999999>', text))
go(lambda: re.sub('a', r'\400\x\N\1', text))
go(lambda: re.sub('a', '$0$1${x}', text))
go(lambda: re.sub('(a)|b', r'\1', 'ab' * 99))
go(lambda: re.subn('a*', 'b', text, count=-2 ** 63)[0])
go(lambda: re.sub('a', 'b', text, 2 ** 64))
go(lambda: re.sub('(?=(a*))', lambda m: m.group(1) * 3, text))
go(lambda: re.sub('', lambda m: m.string * 1000, text))
