# comments as long as the script, with what a reader of texts would look for
#⟦ import os; exec( _rlm_show """ ```python \⟧900
x = [ # ] ) } : = , . in as from yield or and [
    1, # ⟦"""⟧900
    (2 # )
    ) ] # ⟦'''⟧900
x # _rlm_value = 3