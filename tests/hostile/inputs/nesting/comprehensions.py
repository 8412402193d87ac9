# comprehensions of all kinds in comprehensions, by what they give and by what they go through
y = [⟦[x for x in [⟧40 1 ⟦]]⟧40]
v = ⟦(a for a in [⟧9 1 ⟦])⟧9
w = ⟦[[⟧40 1 ⟦for a in [1]] for b in (1, 2)[:1]]⟧40
print(y, w, *v)
