# FAIL 3: exec % --limit calls=2 --tool 'echo=cat'
#
# One host call too many ends the script, uncatchably.
try:
    for n in range(5):
        print(echo(n)["args"])
except BaseException:
    print("caught")
