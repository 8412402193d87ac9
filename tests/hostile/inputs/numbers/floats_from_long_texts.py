# Texts of millions of letters that are read as floats, and floats with millions of decimals
def go(f):
    try:
        print(str(f())[:40])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
for text in (
    '1' * 5_000_000, '0.' + '0' * 5_000_000 + '1', '1e' + '9' * 1_000_000, '1e-' + '9' * 1_000_000, '-' * 1_000_000, '1_' * 500_000 + '1', ' ' * 9_000_000, 'nan' * 99,
    '1.' + '9' * 5_000_000 + 'e-400', '9007199254740993' + '0' * 1_000_000 + '1e-1000000', '+infinity', '1e+', '٣٫٥', '0x1p3', '1' + '\x00' * 1000, '2.4703282292062327e-324' + '0' * 700,
):
    go(lambda: float(text))
    go(lambda: complex(text + '+1j'))
for spec in ('.30000f', '.30000e', '.5000%', '030000.20000g', ',.9999f', '.0f', '+#.30000g'):
    for x in (5e-324, 1.7976931348623157e308, -0.0, float('nan'), 0.1):
        go(lambda: f'{x:{spec}}')
print('%.9999f' % 5e-324, round(5e-324, 2 ** 31 - 1), round(1.5, -2 ** 63), round(1e308, -308))
