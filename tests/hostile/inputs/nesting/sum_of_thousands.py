# a left-leaning tree: the parser does not recurse over it, whoever walks it does
x = 1
x = ⟦x - 1 * ⟧4500 1 ⟦+ x⟧4500
print(x)
