# generator expressions in one another: each becomes longer and deeper when it is rewritten
z = ⟦{(a for a in [⟧30 1⟦])}⟧30
