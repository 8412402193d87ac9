# each decorator of a method is given its name, twice
class B:
⟦ @a
⟧10000 def ⟦x⟧10000(self): pass
