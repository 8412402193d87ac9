# FAIL 1: exec % --limit source=64
#
# A source over the cap is refused.
print("never")
