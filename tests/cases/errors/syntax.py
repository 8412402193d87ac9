# FAIL 1: exec %
#
# A script that does not parse is refused; nothing of it has run (X06, X36).
def f(
    return 1
