# a comment behind an attribute that is assigned, where a sign is looked for
class P:
    @property
    def a(self): return 1
    @a.setter
    def a(self, v): pass
x = P()
(x.a # = 0))); (_rlm_show := lambda v: 9); import os; print(os); """
) = 5
# """
