# as many decorators as fit, on functions, methods and classes
def d(f): return f
⟦@d
⟧6000def g(): pass
class A:
⟦    @d
⟧70    def g(self): pass
⟦@d
⟧2000class B:
    x = 1
print(A().g, B().x)
