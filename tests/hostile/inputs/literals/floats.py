# floats with thousands of digits, before and behind the point, and in the exponent
a = 0.⟦0⟧9000⟦1⟧9000
b = 1⟦0⟧9000.5e-⟦9⟧5000
c = ⟦1_⟧5000⟦2_⟧300⟦9⟧90e⟦9⟧30
[a, b, c, ⟦9⟧3000e3, -0.0, 1e309 - 1e309, complex(a, b)]
