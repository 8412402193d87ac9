# Alternatives without number: many words, long words, words that begin alike, empty words
import re
def go(f):
    try:
        print(str(f())[:60])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
words = [f'word{i}' for i in range(10_000)]
go(lambda: re.search('|' * 2_000, 'a'))
go(lambda: re.search('(' + '|' * 1_000 + ')*b', 'a' * 999))
go(lambda: re.findall('|'.join('a' * i for i in range(1, 100)), 'a' * 200)[:1])
go(lambda: re.findall('(?:' + '|'.join('a' * i + 'b' for i in range(1, 100)) + ')+c', 'a' * 200)[:1])
go(lambda: re.search('(' + ')|('.join(words[:300]) + ')', 'word2999'))
go(lambda: re.fullmatch('(?i)' + '|'.join(words[:900]), 'WORD8999'))
go(lambda: re.search(r'\b(?:' + '|'.join(words[:2_000]) + r')\b(?=x)', 'word' * 5000))
go(lambda: re.search('|'.join(words), 'x' * 1_000_000))
