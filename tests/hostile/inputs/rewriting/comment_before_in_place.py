# a comment behind an attribute that is changed in place, where a sign is looked for
class P:
    @property
    def a(self): return 1
    @a.setter
    def a(self, v): pass
x = P()
(x.a # = 0)))); _rlm_locals = lambda: ['x' * 700000 + str(n) for n in range(20)]; """
) += 5
# """
