# A new pattern each time, larger than the last, all of them kept, and the cache asked for each
import re
kept = {}
i = 0
while True:
    i += 1
    try:
        p = re.compile(f'(?P<a{i}>' + rf'[\w{i}]*' * (i % 90) + f'(?:{i}|x{{{i % 300}}})' + ')', i % 32)
        kept[p] = p.pattern
        p.match('w' * i)
    except Exception as e:
        kept[str(e)] = e
