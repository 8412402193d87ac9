# formats that ask for more than there is
x = 3.14
for spec in ['9999999999d', '>9999999', '.9999999f', '0=+#9999999,.9999999e', '.2147483648g', '-^' + '9' * 400, '4294967296', '.65536f', '.65535e', '😀>3000000', '+' * 9999, '0' * 99999 + '1', '>99999999999999999999']:
    for f in [lambda: f'{x:{spec}}', lambda: format(7, spec), lambda: ('{:' + spec + '}').format('a'), lambda: ('%' + spec) % x]:
        try: print(len(f()))
        except Exception as e: print(type(e).__name__, str(e)[:40])
