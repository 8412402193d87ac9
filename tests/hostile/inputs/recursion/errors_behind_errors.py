# Exceptions raised from exceptions, a hundred thousand in a row, in circles, and then shown
last = None
for i in range(1_000):
    try:
        raise ValueError(f'{i}') from last
    except ValueError as e:
        last = e
a, b = ValueError('a'), KeyError('b')
for x, y in ((a, b), (b, a), (a, a)):
    try:
        raise x from y
    except Exception as e:
        z = (x.__cause__, y.__context__)
def down(n):
    try:
        return down(n + 1)
    except RecursionError as e:
        raise KeyError(n) from e
    finally:
        down.__name__
import traceback
for f in (lambda: traceback.format_exc(), lambda: down(0), lambda: repr(last), lambda: traceback.print_exc(), lambda: ''.join(traceback.format_exception(last))[:9], lambda: (_ for _ in ()).throw(last)):
    try:
        print(str(f())[:60])
    except BaseException as e:
        kept = e
def climb(n):
    try:
        raise last if n > 400 else ValueError(n) from kept
    except ValueError as e:
        if n > 450:
            raise
        climb(n + 1)
climb(0)
