# operators that lean to the right, and choices in choices, as deep as they may be
z = 0
x = ⟦1 if z else ⟧90 1 if (z := 0) else 2
y = ⟦1 ** ⟧150 2
y = ⟦2 ** ⟧150 2
