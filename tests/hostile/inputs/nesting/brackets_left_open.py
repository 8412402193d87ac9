# brackets of all kinds that nobody closes
x = ⟦([{⟧20000
