# classes of exceptions with all that they may have, above each other, and raised out of each other
class E(Exception):
    code = 1
    def __init__(self, *a): super().__init__(*a); self.a = a
    def __str__(self): return str(self.a)
    @property
    def b(self): raise E(self.a)
⟦class E(E):
    def __init__(self, *a): super().__init__(*a); E.__init__(self, 1)
⟧90for n in range(9):
    try: raise E(n, E(E(n)))
    except (E, (E, E)) as e: print(e.args)
    except ValueError: pass
