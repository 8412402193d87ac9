# FAIL 1: exec %
#
# Without any context `files` is there and empty, and `context` is no name.
print(files, context_files)
context
