# the same, with more of them than the parser takes once they are rewritten
class A:
    def __bool__(self): return True
a = A()
x = ⟦a and ⟧8000 a
