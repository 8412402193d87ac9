# FAIL 1: exec %
#
# Endless recursion is an exception that a script may catch.
def f(n):
    return f(n + 1)
f(0)
