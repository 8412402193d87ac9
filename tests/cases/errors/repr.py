# FAIL 1: exec %
#
# A value that cannot be shown raises.
class Odd:
    def __repr__(self):
        raise ValueError("no repr")
Odd()
