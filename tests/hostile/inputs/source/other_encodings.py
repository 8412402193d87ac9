# -*- coding: utf-7 -*-
# vim: set fileencoding=utf-16 :
#coding=rot13
#+ACI-print(1)+ACI-
x = 'ÿĀ􏿿'
for c in ['utf-7', 'idna', 'punycode', 'utf-16', 'utf_32_be', 'rot13', 'unicode_escape', 'mbcs', 'zlib', 'x' * 99999, '\0', '../utf-8', '']:
    for f in [x.encode, b'\xff\xfe+AAA-\x00\xd8'.decode, lambda c: str(b'\xff', c, 'ignore'), lambda c: exec(x.encode(c)), lambda c: exec(f'# coding: {c}\nprint(1)'.encode())]:
        try: print(f(c))
        except Exception as e: print(type(e).__name__, str(e)[:50])
