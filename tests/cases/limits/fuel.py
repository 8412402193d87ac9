# FAIL 3: exec % --timeout 60s --fuel 100e6
#
# Fuel ends a script at its first checkpoint past the budget.
print("before")
try:
    while True:
        pass
except BaseException:
    print("caught")
