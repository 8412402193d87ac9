# JSON as deep as texts can be: lists, objects, both, open and closed, read with hooks and without
import json
n = 3_000
for text in ('[' * n + ']' * n, '[' * n, '{"a":' * n + '1' + '}' * n, '{"a":' * n, '[{"":' * n, '[[],' * n + '1' + ']' * n, '{"a":1,' * n, '"' * n, '[' * 900 + ']' * 900, '{"":' * 250 + '[]' + '}' * 250, ']' * n, ',' * n, ' ' * n + '[' + '\n' * n):
    for read in (json.loads, lambda t: json.loads(t, object_hook=dict), lambda t: json.loads(t, object_pairs_hook=list), lambda t: json.JSONDecoder().raw_decode(t), lambda t: json.loads(t.encode('utf-16') if len(t) < 9 else t, parse_int=str)):
        try:
            print(len(read(text)))
        except Exception as e:
            print(type(e).__name__, str(e)[:60])
