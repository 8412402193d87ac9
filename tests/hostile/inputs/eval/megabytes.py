# megabytes of text that have to be read, checked, changed and kept
for piece in ['x = 1\n', '# ' + 'x' * 98 + '\n', '"' + 'y' * 999 + '";', '(1);', 'x=[1];x[0];', 'eval("1");', 'import json;import heapq;', '\n', '\\\n', '0' * 99, 'x.']:
    for size in [1000, 100000, 1000000, 20000000]:
        try: exec(piece * (size // len(piece)))
        except Exception as e: print(repr(piece)[:9], size, type(e).__name__)
