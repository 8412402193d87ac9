# FAIL 3: exec % --limit output=256 --limit output-overflow=stop
# Printing more than is allowed ends the script where it did.
n = 0
while True:
    n += 1
    print('line', n)
