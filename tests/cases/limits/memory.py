# FAIL 3: exec % --memory 8MiB
#
# Memory ends a script before the machine has to pay for it.
print("before")
try:
    rows = [[0] * 10_000 for _ in range(10_000)]
except BaseException:
    print("caught")
