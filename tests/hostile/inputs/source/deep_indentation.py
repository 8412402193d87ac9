# lines that begin with more space than there is room for, in functions that are taken apart
def f():
⟦ ⟧9000yield 1
⟦ ⟧9000for x in [1]:
⟦ ⟧18000yield x
for x in f():
⟦ ⟧9000print(x)
if 1:
⟦	⟧9000x = [
1]
