# Raises something else each time it is shown, and something worse while that is shown
class Worse(Exception):
    def __init__(self, n): self.n = n
    def __str__(self): return f'{self.n!r}'
class Harm:
    def __repr__(self): raise kinds[Raises.n % len(kinds)](Raises())
    __str__ = __repr__
kinds = [SystemExit, KeyboardInterrupt, MemoryError, RecursionError, TimeoutError, StopIteration, AssertionError, BaseException]
class Raises:
    n = 0
    def __repr__(self):
        Raises.n += 1
        raise Worse(Harm())
for _ in range(10):
    try:
        print(Raises(), [Harm()])
    except BaseException as error:
        print(type(error))
(Raises(), [Worse(Harm())])
