# prefixes and functions of functions, as deep as they may be
x = ⟦not ⟧50⟦- ~ +⟧45 1
y = ⟦lambda: ⟧95 1
⟦y = y()
⟧95
z = (lambda f: ⟦- ~⟧80 f)(1)
print(x, y, z)
