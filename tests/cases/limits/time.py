# FAIL 3: exec % --timeout 50ms --fuel 1e15
#
# A script that never ends is stopped, cannot catch it, and what it printed is kept.
print("before")
try:
    while True:
        pass
except BaseException:
    print("caught")
