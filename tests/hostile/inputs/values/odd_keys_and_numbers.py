# Has keys and numbers that JSON cannot have, some of which become the same
nan = float('nan')
class Key:
    def __init__(self, n): self.n = n
    def __repr__(self): return '1'
    def __hash__(self): return 1
keys = [nan, float('nan'), float('inf'), -0.0, 0, None, True, (), (1, (nan,)), b'', b'\xff', frozenset([nan]), '', '$tuple', '\x00', 10 ** 400, 1e308, 1j,
        Key(1), Key(2), Key, print, echo, 'a' * 100000, '\U0010ffff', '"\\', range(3), ..., 2 ** 53 + 1, -2 ** 63, 2 ** 64, 5e-324]
{key: {key: {nan, key, (key,)}} for key in keys}
