# Halves of letters, zero bytes and marks of order, through every wall there is
import json
half, other, both = '\ud83d', '\ude00', '\ud83d\ude00'
def go(f):
    try:
        print(repr(f())[:80])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
for text in (r'"\ud83d\ude00"', r'"\ud83d"', r'"\ude00\ud83d"', r'"\ud83d\u0041"', r'"\ud83d\ud83d\ude00"', r'"\u12"', r'"\uZZZZ"', r'"\u+123"', '"\\', '"\\u', '"\x00"', '\ufeff1', '"\ud83d"', r'{"\ud800":"\udfff"}', r'"\u0000\u2028\uffff"', '"' + r'\ud83d' * 30_000 + '"'):
    go(lambda: json.loads(text))
    go(lambda: json.loads(text, strict=False, object_hook=dict))
for s in (half, other, both, half + 'x', '\x00', '\ufeff', '\U0010ffff', 'a\u0301' * 99, '\u202e' * 99, '\x1b[2J\x07'):
    for f in (lambda: echo(s), lambda: later({s: [s]}), lambda: llm_query(s), lambda: fail('ValueError', s), lambda: fail(s, s), lambda: print(s), lambda: json.dumps(s), lambda: s.encode(), lambda: s.encode('utf-16', 'surrogatepass'), lambda: exec(f'x = {s!r}'), lambda: exec(s), lambda: open(s), lambda: {s: s}, lambda: int(s), lambda: SUBMIT(s)):
        go(f)
raise ValueError(half, other + '\x00')
