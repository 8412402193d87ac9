# Shows itself as text that is longer each time, inside of each other
class Long:
    def __init__(self): self.n = 0
    def __repr__(self):
        self.n += 1
        return 'x' * self.n * 1000000
long = Long()
[[long] * 40] * 40
