# Holds all that it may, and has the session written down while it does, again and again
kept = [b'x' * 20000000, 'é' * 10000000, [[n] for n in range(100000)]]
for n in range(10000):
    echo('y' * 100000)
    later('z' * 100000)
    kept.append(n)
