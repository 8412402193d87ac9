# RUN: exec %
#
# A top-level `return` gives the value of the script.
return 2 + 2
