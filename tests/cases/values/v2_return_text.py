# RUN: exec %
#
# Text is shown as its repr (V2).
return "hello".upper()
