# Turns every letter into many, by tables, cases, escapes, encodings and quoted forms
def go(f):
    try:
        print(len(f()))
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
a = 'a' * 1_000_000
go(lambda: ('ΐ' * 5_000_000).upper())
go(lambda: ('ﬃ' * 5_000_000).casefold())
go(lambda: ('\x00' * 8_000_000).__repr__())
go(lambda: ascii('\U0001f600' * 6_000_000))
go(lambda: ('\U0001f600' * 3_000_000).encode('ascii', 'backslashreplace'))
go(lambda: ('é' * 3_000_000).encode('ascii', 'xmlcharrefreplace'))
go(lambda: ('é' * 5_000_000).encode('utf-32'))
go(lambda: (b'\xff' * 20_000_000).decode('utf-8', 'replace'))
go(lambda: (b'\xff' * 20_000_000).hex(' ', 1))
go(lambda: (b'\xff' * 20_000_000).__repr__())
go(lambda: a.translate({97: 'b' * 1000}))
go(lambda: a.translate(str.maketrans({'a': a})))
go(lambda: a.replace('a', a))
