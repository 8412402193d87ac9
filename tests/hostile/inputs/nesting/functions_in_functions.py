# functions in functions that all have the same variable
⟦»def f(x=[0], *a, **k):
⟧95⟦ ⟧95y = x
