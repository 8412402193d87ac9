# Catches everything and goes on asking after the limit of calls has come
def more():
    while True:
        try:
            for _ in range(100001):
                echo(None)
        except BaseException:
            pass
        finally:
            more()
try:
    more()
finally:
    while True:
        try:
            budget()
        finally:
            continue
