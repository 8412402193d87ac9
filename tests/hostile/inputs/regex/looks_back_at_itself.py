# Groups that are asked for again, which no engine for plain patterns can do
import re
text = 'ab' * 40 + 'c'
for pattern in (
    r'(\w+)\1\1\1$', r'(.*)(.*)(.*)\3\2\1$', r'(?P<x>a+)(?P=x)+b', r'((a)|b)*\2$', r'(a*)+\1$', r'^(1+)\1+$', r'(.+?)\1+?(.+?)\2+?$', r'(a\1)', r'\1(a)', r'(?:(a)|b)*\1\1', r'(\2b)(\1a)',
    r'(a+)+\1c', r'(x)?(?:\1|a)*$', r'(()\2)*', r'(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)\10', r'\99', r'(?P<a>.)(?P<a>.)', r'(?P=nothing)', r'(?P<é>.)(?P=é)', r'(?P<' + 'n' * 5_000 + '>a)',
):
    for words in (text, '1' * 301, ''):
        try:
            print(re.search(pattern, words))
        except Exception as e:
            print(type(e).__name__, str(e)[:60])
