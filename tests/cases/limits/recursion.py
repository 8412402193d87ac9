# RUN: exec % --limit recursion=50
#
# A depth that is not allowed can be caught, as in Python.
def f(n):
    return n if n == 0 else f(n - 1) + 1
try:
    f(100)
except RecursionError as error:
    print(error)
f(40)
