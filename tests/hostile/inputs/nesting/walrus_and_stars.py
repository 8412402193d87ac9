# assignments within expressions, stars within lists and calls
x = ⟦(a := ⟧95 1⟦)⟧95
y = ⟦[*⟧95 [a] ⟦]⟧95
z = ⟦print(*⟧60 [a] ⟦ or [])⟧60
w = ⟦{**⟧95 {a: a} ⟦}⟧95
