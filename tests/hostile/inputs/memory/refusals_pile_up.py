# Calls that raise with eight million letters each; somebody has to keep what was raised
big = 'y' * 7_900_000
n = 0
while n < 1000:
    try:
        fail('ValueError', big)
    except ValueError as e:
        n += 1
