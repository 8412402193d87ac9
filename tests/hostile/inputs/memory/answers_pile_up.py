# Calls that answer at once, each as much as it may; somebody has to keep what was answered
big = 'y' * 99_000
while True:
    echo(big)
