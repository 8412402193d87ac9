# Compares long texts that are alike everywhere, and asks which of many is closest
import difflib
a = ['ab' * (i % 7) for i in range(300)]
b = ['ba' * (i % 5) for i in range(300)]
def go(f):
    try:
        print(str(f())[:60])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
go(lambda: len(list(difflib.ndiff(a[:20], b[:20]))))
go(lambda: len(list(difflib.unified_diff(a, b, n=-5))))
go(lambda: difflib.get_close_matches('a' * 40, ['a' * i for i in range(60)], n=10 ** 18, cutoff=0.0)[:1])
go(lambda: difflib.SequenceMatcher(lambda x: x == 'a', 'ab' * 60, 'ba' * 60).get_opcodes()[:1])
go(lambda: difflib.SequenceMatcher(None, [float('nan')] * 60, [float('nan')] * 60).ratio())
go(lambda: difflib.SequenceMatcher(None, [[]], [{}]).ratio())
go(lambda: difflib.get_close_matches('a', [], 0, 5))
difflib.SequenceMatcher(None, 'a' * 20_000, 'a' * 19_999 + 'b', autojunk=False).ratio()
