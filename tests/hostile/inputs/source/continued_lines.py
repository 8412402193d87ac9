# lines that go on and on, between all that belongs together
x = 1 \
⟦\
⟧9000+ 1
class P: \
    __len__ = lambda self: 1; v = property(lambda self: 1, lambda self, v: print(v))
def \
⟦\
⟧3000f \
(a \
) \
:
    yield \
⟦\
⟧3000 a
for y \
in \
f \
(1) \
: print(y, P \
() or \
1); P() \
. v \
= 2
try \
: assert \
x \
, (1, 2); del [x] \
[0 \
]
except \
ZeroDivisionError \
as e \
: raise \
ValueError(1) \
from e
