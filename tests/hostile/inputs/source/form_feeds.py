# form feeds, which begin a line anew: what is inside of a block, and what is not?
def f():
    x = 1
    x = 2
    
    yield x
    for y in [x]:
        yield y
class A:
    def g(self):
        yield f()

for x in A().g():
 print(x)
⟦⟧3000
x = [⟦⟧3000
1]
return list(f())
