# types in types, in quotes, quoted again
from typing import Optional
x: ⟦Optional[⟧90 int⟦]⟧90 = None
def f(a: "⟦list[⟧90'⟦dict[⟧90⟦]⟧90'⟦]⟧90", *b: *tuple[int, ...]) -> ⟦(⟧90 'x'⟦)⟧90: pass
y: "⟦list[⟧150 '⟦(⟧150⟦)⟧150'⟦]⟧150"
f
