# Twice as many calls with each frame that is left, at the end of the stack
def f():
    try:
        f()
    except RecursionError:
        f()
    finally:
        f()
try:
    f()
except BaseException:
    f()
