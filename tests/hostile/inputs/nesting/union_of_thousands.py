# types that lean to the left, where nobody looks at them
def f(x: ⟦int | ⟧6000 None) -> ⟦x.⟧6000 x: return x
f(1)
