# Raises a hundred thousand errors of its own kinds, all of which are remembered with what they hold
class Holds(Exception):
    def __init__(self, *args):
        self.args = args
        self.held = [args] * 1000
kept = []
def make(n):
    return Holds('x' * 10000 + f'{n}', kept, [n] * 100)
for n in range(100000):
    try:
        raise make(n) from (kept[-1] if kept else None)
    except Holds as error:
        kept.append(error)
        del kept[:-5]
        error.add_note('y' * 1000)
raise Holds(ValueError(1, 2), kept)
