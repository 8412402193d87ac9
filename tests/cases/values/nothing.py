# RUN: exec %
#
# `None` is not shown.
print("done")
