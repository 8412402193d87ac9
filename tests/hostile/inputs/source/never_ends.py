# a text, a bracket and a block that have no end, where everybody expects one
def f():
    x = (yield [1, {2: f"""{f'{"a
⟦{ ( [ " ' """ \
⟧4000