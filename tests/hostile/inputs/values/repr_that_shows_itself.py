# Is shown by way of itself, by every way there is to make text
class Self:
    def __repr__(self):
        try:
            return '%r %s' % (self, self) if n % 2 else '{!r:>9}'.format(self) + f'{[self]!r}' + str({self: self})
        except RecursionError:
            return repr([self])
        finally:
            global m
            m += 1
    def __hash__(self): return hash(repr(self))
n = m = 0
Self()
