# `and` and `or` with instances that say how true they are: each is put into the one before
class A:
    def __len__(self): return 0
    def __lt__(self, other): return self
a = A()
x = ⟦a and a or ⟧9⟦not a or a < a < a and ⟧3 a
