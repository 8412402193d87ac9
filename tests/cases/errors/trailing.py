# FAIL 1: exec %
#
# Columns are those of the script, though the interpreter sees another one.
values = [1, 2]
values[0] + values[7]
