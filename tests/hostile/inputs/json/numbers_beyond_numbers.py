# Numbers in JSON that are too long, too large, too odd, or none
import json
for text in (
    '9' * 4300, '9' * 4301, '9' * 20_000, '-' + '9' * 10_000, '0.' + '0' * 10_000 + '1', '1e' + '9' * 10_000, '1E-' + '9' * 4_000, '-0', '-0.0', '00', '1.', '.5', '+1', '0x1', '1_0', 'NaN', '-Infinity', 'nan', '1e400', '-1e-400',
    '18446744073709551616', '-9223372036854775809', '9223372036854775808', '1' * 400 + '.5', '[' + '1,' * 3_000 + '1]', '٣', '1e+', '--1', '1.5.5', '123456789012345678901234567890e-10', '[-]', '[1e]', '5e-324',
):
    for named in ({}, {'parse_float': len}, {'parse_int': float}, {'parse_constant': lambda c: [c]}):
        try:
            print(str(json.loads(text, **named))[:40])
        except Exception as e:
            print(type(e).__name__, str(e)[:60])
