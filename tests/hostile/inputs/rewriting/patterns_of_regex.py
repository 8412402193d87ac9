# modules by other names in texts, patterns that are rewritten into patterns
"""
import re as x
import json as len
import os as os
"""
import re as r, json
x = 'a' * 30
for p in ['(a*)*b', '(?:(?:a?){30}){30}', '((a{1,1000}){1,1000}){1,9}', '(?P<n>a)(?P=n)' * 99, '[' + 'a-b' * 9999 + ']', '(?i)' + 'ß' * 999, '\\' * 9999, '(?<=a{1,99})b', '(' * 300 + ')' * 300, '|' * 30000, 'a**', '{,}' * 999]:
    for f in [r.search, r.findall, r.split, lambda p, t: r.sub(p, r'\g<0>\1' * 99, x), lambda p, t: r.sub(p, lambda m: later(m[0]), t), lambda p, t: r.compile(p, r.X | r.U).fullmatch(t).lastgroup]:
        try: print(repr(f(p, x))[:30])
        except Exception as e: print(type(e).__name__, end=' ')
