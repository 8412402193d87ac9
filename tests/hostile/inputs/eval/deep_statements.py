# blocks of every kind, as deep as they may be and deeper, with what closes them
x, E = [], ValueError
def deep(n, head, tail, inside='pass'):
    lines = [' ' * k + head for k in range(n)] + [' ' * n + inside]
    return '\n'.join(lines + [' ' * k + tail for k in reversed(range(n)) if tail])
for head, tail in [('try:', 'except: raise'), ('if 1:', 'else: x'), ('while 1:', 'else: break'), ('for x in [1]:', 'else: x'), ('with open as x:', ''), ('class A:', ''), ('match 1:\n', ''), ('try:', 'except* E: pass'), ('try:', 'except E as e: e'), ('try:', 'finally: x = 1'), ('async def f():', '')]:
    for n in [9, 60, 99, 190, 201, 900]:
        for inside in ['pass', 'x = [*x, 1]']:
            try: exec(deep(n, head, tail, inside))
            except BaseException as e: print(head, n, repr(e)[:50])
