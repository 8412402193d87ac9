# a comment within a keyword argument, where a sign is looked for; what follows is code then
class A: pass
def f(*a, **k): pass
a = {}
y = f(**a, b # = (_rlm_show := lambda v: (A, A()))}) or """
  = 1)
# """
