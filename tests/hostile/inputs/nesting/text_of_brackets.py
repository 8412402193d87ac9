# deep text given to everything that reads text
import json, re, ast
try: import tomllib
except ImportError: tomllib = None
n = 100000
for f, a, b in [(json.loads, '[', ']'), (json.loads, '{"a":', '}'), (re.compile, '(', ')'), (re.compile, '(?:a|', ')*'),
                (ast.literal_eval, '[', ']'), (ast.literal_eval, '-', '1'), (str.format, '{', '}'), (eval_ := int, '-', '1'),
                (float, '(', ')'), (lambda t: '%s' % t % t, '%(', ')s'), (lambda t: tomllib.loads('a=' + t), '[', ']')]:
    try: print(repr(f(a * n + b * n))[:20])
    except Exception as e: print(type(e).__name__, str(e)[:50])
