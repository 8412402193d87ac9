# Swallows everything by leaving through finally, out of loops, handlers and generators
def swallow():
    for _ in iter(int, 1):
        try:
            raise ValueError
        except ValueError:
            raise KeyError
        finally:
            break
    try:
        return swallow_more()
    finally:
        while True:
            try:
                1 / 0
            finally:
                break
        return 1
def swallow_more():
    while True:
        try:
            try:
                raise SystemExit('x' * 10000)
            finally:
                return later(1)
        finally:
            continue
swallow()
