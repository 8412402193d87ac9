# Says of a function that it wraps itself, and asks what it is called and what is said of it
import functools
def f(*x): 'text'
def g(*x): 'more'
f.__wrapped__, g.__wrapped__ = g, f
functools.update_wrapper(f, g), functools.update_wrapper(g, f)
try:
    print(f.__doc__, f.__name__)
except RecursionError:
    functools.wraps(f)(functools.wraps(g)(f))
print(functools.singledispatch(f)(1), f.__doc__)
