# Keeps thousands of patterns, each of which is large once it is compiled, and matches by hand
import re
kept = []
for n in range(1, 10 ** 6):
    for text in (f'(?:[\\w\\s]{{{n % 1000}}}x?){{{n % 50}}}', f'(?i)(?=(a|{chr(200 + n)}){{0,{n}}})(?<!b{n})(\\1|c)*?$', '|'.join([f'{i}(?P<g{i}>.)' for i in range(n % 200)]), '(' * (n % 100) + 'a*' + ')*' * (n % 100)):
        try:
            p = re.compile(text, re.X | re.I | re.S)
            kept += [p, p.search('a' * n), p.sub(lambda m: text, 'ab' * 100), p.split('a,' * n), [*p.finditer('b' * n)]]
        except Exception as error:
            said = str(error)
