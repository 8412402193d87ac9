# what is assigned to: targets in targets, and names in a row
⟦a = ⟧6000 [1]
b = 1
for _ in range(90): b = [b]
⟦[⟧90 c⟦]⟧90 = b
for ⟦(⟧90 c⟦,)⟧90 in [b]: print(c)
[d for ⟦(⟧90 d⟦,)⟧90 in [b]]
⟦(⟧90 a⟦,)⟧90 = ⟦[*⟧90 b ⟦]⟧90
del ⟦(⟧90 a⟦,)⟧90
