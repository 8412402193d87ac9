# Asks for the least, the greatest, the sum and the order of what never ends
import itertools, random
class Endless:
    def __iter__(self):
        return self
    def __next__(self):
        return 0
ways = [lambda: max(itertools.count(), key=lambda x: 0), lambda: sum(itertools.repeat(1)), lambda: sorted(Endless()), lambda: min(itertools.cycle('ab')), lambda: 2 in itertools.repeat(1), lambda: any(itertools.repeat(0)), lambda: dict.fromkeys(Endless()), lambda: set(itertools.repeat(1)), lambda: ''.join(itertools.repeat('')), lambda: [*zip(Endless(), itertools.count())]]
random.shuffle(ways)
ways[0]()
