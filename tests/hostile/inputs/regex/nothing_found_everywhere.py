# Patterns that take nothing, found between all letters of long texts, by every function there is
import re
text, wide = 'a' * 3_000, 'é\U0001f600' * 1_000
def go(f):
    try:
        print(str(f())[:60])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
for pattern in ('', 'x*', '(?=a)', r'\b|\B', '(?:)', '$|^', '(x?)(y?)', '(?<!x)', r'\Z', '(?m)^|$'):
    for words in (text, wide):
        go(lambda: len(re.findall(pattern, words)))
        go(lambda: len(re.split(pattern, words)))
        go(lambda: sum(m.end() for m in re.finditer(pattern, words)))
        go(lambda: [m.span() for m in re.finditer(pattern, words)][-1])
        go(lambda: len(re.sub(pattern, '', words)))
