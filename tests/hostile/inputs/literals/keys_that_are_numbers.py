# keys that are numbers, which are compared with all those before
x = {⟦1:2,⟧4000⟦True:1,⟧4000}
y = {⟦0.5,⟧2000⟦1.5,⟧2000}
x
