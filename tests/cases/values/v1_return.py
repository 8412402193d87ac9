# RUN: exec %
#
# A top-level `return` gives the value of the script (V1, R3-33).
return 2 + 2
