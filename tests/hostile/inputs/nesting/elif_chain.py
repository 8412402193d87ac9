# one condition with thousands of alternatives
x = 3
if x == 0: pass
⟦elif x < 0: x
⟧2700else: x = 4
x
