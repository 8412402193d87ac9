# what evaluated text leaves for later: functions that rebind what the session itself uses
exec("""
def f():
    global print, FINAL, answer, later, len, str, json, isinstance, repr, type
    print = FINAL = answer = later = len = str = json = isinstance = repr = type = f
class A:
    def __repr__(self): f(); exec('global A; A = print'); return eval("'A'" * 3)
    def __eq__(self, other): f(); return exec('del answer')
    def __hash__(self): f(); return eval('1')
""")
f()
answer = {'ready': True, 'content': A()}
result = {A(): A(), 1: [A()]}
