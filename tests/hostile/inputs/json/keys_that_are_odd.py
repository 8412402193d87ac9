# Objects with equal keys, keys that are no text, that hash alike, and that nobody can order
import json
def go(f):
    try:
        print(str(f())[:80])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
odd = {1: 1, 1.5: 2, True: 3, None: 4, float('nan'): 5, float('inf'): 6, -0.0: 7, 10 ** 30: 8, '1': 9, 'None': 10, '\ud800': 11, '': 12}
go(lambda: json.dumps(odd))
go(lambda: json.dumps(odd, sort_keys=True))
go(lambda: json.dumps({(1, 2): 3, b'x': 4, 1j: 5, frozenset(): 6}, skipkeys=True))
go(lambda: json.dumps({(1, 2): {b'x': {range(3): 1}}}))
go(lambda: len(json.loads('{' + '"a":[],' * 400_000 + '"a":{}}')))
go(lambda: len(json.loads('{' + ','.join(f'"{i}":{i}' for i in range(60_000)) + '}')))
go(lambda: json.loads('{"__proto__":1,"$tuple":[1],"$repr":"x","$int":"z","_rlm_kit":2}'))
go(lambda: echo({'$tuple': [1, 2]}))
go(lambda: echo([{'$int': 'x'}, {'$bytes': '%%'}, {'$float': 'inf', 'a': 1}, {'$set': [[]]}, {'$dict': 5}, {'$dict': [[1]]}, {'$repr': 1}, {'$date': '0000-99-99'}]))
go(lambda: later({1: {2: {(3, b'4'): {5, 6}}}, None: frozenset([(1,)])}))
go(lambda: echo({'a' * 1_000_000: 1, 'a' * 999_999 + 'b': 2}))
go(lambda: echo(odd))
{'$tuple': [odd, {'$repr': odd}], '$value': {'$int': '5'}, '\ud83d': '\udc00\x00\u2028'}
