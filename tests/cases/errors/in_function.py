# FAIL 1: exec %
#
# The traceback leads through the script as it was written.
def inner(x):
    return {}["k" + x]

def outer():
    return inner("é")

outer()
