# texts that nobody reads, at the beginning of everything
'''⟦x ' \' "
⟧2000'''
class E(Exception):
    """⟦
⟧3000"""
def f():
    '''⟦y⟧9000'''
    yield f.__doc__
class A:
    __doc__ = f.__doc__
    def g(self): "⟦z⟧9000"
print(len(A.g.__doc__ or ''), [len(x) for x in f()])
raise E(f.__doc__ * 3000)
