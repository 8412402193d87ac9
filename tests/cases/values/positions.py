# RUN: exec %
#
# Positions in texts of one, two, three and four bytes per character, short and long: each
# answer is compared with one that is made character by character.
import re

seed = 7

def number(below):
    global seed
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed // 65536 % below

def made(letters, length):
    return ''.join([letters[number(len(letters))] for _ in range(length)])

def find(text, word, start, end, backwards):
    n = len(text)
    start = 0 if start is None else max(start + n, 0) if start < 0 else start
    end = n if end is None else max(end + n, 0) if end < 0 else min(end, n)
    characters = list(text)
    places = [i for i in range(start, end - len(word) + 1) if characters[i:i + len(word)] == list(word)]
    if not places:
        return -1
    return places[-1] if backwards else places[0]

def index(text, word, start, end):
    try:
        return text.index(word, start, end)
    except ValueError as e:
        return str(e)

tried = 0
wrong = []

def same(what, got, wanted):
    global tried
    tried += 1
    if got != wanted:
        wrong.append((what, got, wanted))

for letters in ('ab', 'aé', 'a日', 'a🩺', 'aé日🩺\n'):
    for length in (0, 1, 5, 127, 128, 129, 300, 1200):
        text = made(letters, length)
        n = len(text)
        same('len', n, len(list(text)))
        for _ in range(20):
            word = made(letters, number(4))
            start = [None, number(n + 3), -number(n + 3)][number(3)]
            end = [None, number(n + 3), -number(n + 3)][number(3)]
            at = find(text, word, start, end, False)
            same(('find', length, word, start, end), text.find(word, start, end), at)
            same(('rfind', length, word, start, end), text.rfind(word, start, end), find(text, word, start, end, True))
            same(('index', length, word, start, end), index(text, word, start, end), at if at >= 0 else 'substring not found')
            part = ''.join(list(text)[start:end])
            same(('slice', start, end), text[start:end], part)
            same(('step', start, end), text[start:end:3], ''.join(list(text)[start:end:3]))
            lower = 0 if start is None else max(start + n, 0) if start < 0 else start
            upper = n if end is None else max(end + n, 0) if end < 0 else min(end, n)
            starts = lower <= upper and part[:len(word)] == word
            ends = lower <= upper and part[len(part) - len(word):] == word if len(word) <= len(part) else False
            same(('startswith', word, start, end), text.startswith(word, start, end), starts)
            same(('endswith', word, start, end), text.endswith((word, word), start, end), ends)
            if word:
                same(('count', word, start, end), text.count(word, start, end), len(part.split(word)) - 1)
            else:
                same(('count', start, end), text.count('', start, end), len(part) + 1 if lower <= upper else 0)
            if n:
                i = number(2 * n) - n
                same(('item', i), text[i], list(text)[i])
        spans = [m.span() for m in re.finditer('a+', text)]
        same('spans', ''.join([''.join(list(text)[a:b]) for a, b in spans]), ''.join([c for c in text if c == 'a']))
        pattern = re.compile('a')
        at = 0
        places = []
        while (m := pattern.search(text, at)) is not None:
            places.append(m.start())
            at = m.end()
        same('searches', places, [i for i, c in enumerate(text) if c == 'a'])

for bad in (2000, -2001):
    try:
        made('é', 2000)[bad]
    except IndexError as e:
        print(e)
print(tried, wrong[:5])
