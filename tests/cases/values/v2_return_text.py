# RUN: exec %
#
# Text is shown as its repr.
return "hello".upper()
