# Patterns that go back and forth for ever on a text that nearly fits, one shape after the other
import re
a, ab, digits = 'a' * 30 + '!', 'ab' * 20 + '!', '1' * 30 + ','
for pattern, text in (
    ('(a+)+$', a), ('(a*)*b', a), ('(a|a)*b', a), ('(a|aa)+$', a), ('(.*)*=(.*)*$', a), ('([a-z]+)*=', a), ('(?:a?){40}a{40}', 'a' * 39), ('^(([a-z])+.)+[A-Z]([a-z])+$', a), (r'(\d+,?)+;', digits),
    ('(x+x+)+y', 'x' * 5000), ('(a?b?)*c', ab), ('.*.*.*.*.*.*.*b$', a), ('(?:.|\\n)*?(?:.|\\n)*?(?:.|\\n)*?z', a), (r'\b(\w+\s?)+\b$', a), ('((ab)*)*c', ab), ('(?:(?:(?:a*)*)*)*b', a),
):
    for way in (re.match, re.search, re.fullmatch, re.findall):
        try:
            print(way(pattern, text))
        except Exception as e:
            print(type(e).__name__, str(e)[:60])
