# Comparisons that answer with no truth: lists, the wrong sign, themselves, nothing, or who knows
import random, functools
class Mood:
    def __init__(self, answer):
        self.answer = answer
    def __lt__(self, other):
        return self.answer() if callable(self.answer) else self.answer
    __gt__ = __le__ = __ge__ = __eq__ = __lt__
    def __hash__(self):
        return self.answer
    def __bool__(self):
        return self.answer
    def __len__(self):
        return self.answer
    def __index__(self):
        return self
answers = (None, NotImplemented, [], 'no', -1, 10 ** 400, float('nan'), 1.5, Mood, lambda: random.random() < 0.5, lambda: Mood(None), ..., {}, b'')
for a in answers:
    for b in answers:
        xs = [Mood(a), Mood(b)] * 20
        for way in (lambda: sorted(xs), lambda: max(xs), lambda: {x: 1 for x in xs}, lambda: xs.index(0), lambda: sorted(xs, key=bool), lambda: sorted(xs, key=functools.cmp_to_key(lambda x, y: x.answer)), lambda: sorted(xs, reverse=xs[0]), lambda: [1] * xs[0]):
            try:
                way()
            except Exception as e:
                kind = type(e).__name__
for n in (30, 100, 20_000):
    print(len(sorted(range(n), key=functools.cmp_to_key(lambda a, b: random.choice([-1, 0, 1])))), len(sorted([float('nan'), 1.0, 0] * n)))
