# blocks of all kinds, as deep as they may be, which all run
from contextlib import nullcontext as M
for a in [1]:
⟦» for a in [a, a][:1]:
⟧60⟦ ⟧61while a:
⟦ ⟧62with M() as b: print(a)
⟦ ⟧62try: break
⟦ ⟧62finally: print(b)
