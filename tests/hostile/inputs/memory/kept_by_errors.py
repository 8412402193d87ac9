# Exceptions that hold each other, their frames' locals and closures over millions of bytes
kept = []
def hold(n):
    ballast = 'x' * 400_000 + str(n)
    def inside():
        return ballast
    try:
        try:
            raise ValueError(ballast, inside, kept)
        except ValueError as e:
            raise KeyError(ballast) from e
    except KeyError as e:
        kept.append((e, e.__cause__, e.__context__, e.args, lambda: (ballast, e)))
        e.add_note(ballast * 2)
        raise
for n in range(1_000_000):
    try:
        hold(n)
    except KeyError as e:
        kept.append(e)
        try:
            raise e.with_traceback(None) from kept[0][0]
        except BaseException as again:
            kept.append(again)
