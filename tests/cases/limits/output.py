# RUN: exec % --limit output=12
#
# Text over the cap is dropped and counted; the script goes on.
print("0123456789")
print("and more")
"done"
