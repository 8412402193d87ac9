# FAIL 2: exec % --input name=reader
#
# Text needs quotes to be JSON.
