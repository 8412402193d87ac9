# Numerals of tens of thousands of digits in the source itself, of every kind there is
a = ⟦9⟧4300
b = 0x⟦f⟧9000
c = 0b⟦1⟧9000
d = 0o⟦7⟧5000
e = 1e⟦9⟧4000
f = 0.⟦0⟧5000⟦1⟧3000e-⟦9⟧2000
g = ⟦1_0⟧2000j
h = 1.⟦12345⟧1000e99999999999999999999
print(e, f, a == b, c > d)
b
