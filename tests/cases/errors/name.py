# FAIL 1: exec %
#
# An unknown name is told by its name.
x = undefined_variable
