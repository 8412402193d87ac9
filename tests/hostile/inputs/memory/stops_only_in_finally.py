# Each time it is told that there is no memory it takes more, in finally, except and else
def more(n):
    try:
        x = ['z' * 1_000_000 for i in range(1000)]
    except BaseException as e:
        y = ['w' * 500_000 for i in range(1000)]
    else:
        z = x * 1000
    finally:
        try:
            w = [more(n - 1) for i in range(10)] if n else []
        finally:
            v = ['v' * 10_000 for i in range(100_000)]
while True:
    try:
        more(50)
    except:
        continue
