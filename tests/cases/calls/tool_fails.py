# RUN: exec % --tool 'broken=echo no luck >&2; exit 7'
#
# A tool that fails raises where it was called.
try:
    broken()
except RuntimeError as error:
    print(error)
