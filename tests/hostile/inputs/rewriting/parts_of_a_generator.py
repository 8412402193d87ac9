# each part of a generator function has the function's name, and says which variables it shares
def ⟦g⟧20000(⟦a⟧2000):
    if 1: ⟦a⟧2000 = 1
⟦    yield 1
⟧2500
