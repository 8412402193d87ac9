# Asks once more than a script may ask, as fast as it goes
ask = echo
for _ in range(100001):
    ask(0)
