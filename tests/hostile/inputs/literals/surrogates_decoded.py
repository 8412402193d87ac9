# halves of letters by every decoder there is, which the text of Rust cannot hold
import json, codecs
for f in [lambda: chr(0xd800), lambda: json.loads('"\\ud800\\ud800"'), lambda: b'\xd8\x00'.decode('utf-16-be'), lambda: b'\xff'.decode('utf-8', 'surrogateescape'), lambda: '\udcff'.encode('utf-8', 'surrogateescape'),
          lambda: '\\ud800'.encode().decode('unicode_escape'), lambda: json.dumps('\ud800', ensure_ascii=False), lambda: b'\xed\xb0\x80'.decode(), lambda: '😀'[0] + '😀'.encode('utf-16-le')[:2].decode('utf-16-le', 'replace'), lambda: '\ud83d' + '\ude00', lambda: eval("'\\ud83d'"), lambda: '%c' % 0xdc00, lambda: '{:c}'.format(0xdc00), lambda: f'{0xdc00:c}']:
    try: x = f(); print(ascii(x)); echo(x); SHOW_VARS()
    except Exception as e: print(type(e).__name__, ascii(str(e))[:50])
