# a name as long as a script may be, in whatever names are written into
⟦a⟧9000 = 1
def ⟦b⟧9000(⟦c⟧9000): return ⟦d⟧9000
class ⟦e⟧9000: ⟦f⟧3000 = 1
try: ⟦b⟧9000(1)
except NameError as e: print(len(str(e)))
