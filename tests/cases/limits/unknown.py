# FAIL 2: exec % --limit feul=1
#
# A limit that does not exist is answered with those that do.
