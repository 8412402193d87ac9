# Nests so deep that each of the parsers on the way would run out of stack
def deep(make, count):
    value = 1
    for _ in range(count):
        value = make(value)
    return value
makers = (lambda v: [v], lambda v: (v,), lambda v: {'k': v}, lambda v: {1: v}, lambda v: frozenset([v]), lambda v: {'$tuple': [v]})
for make in makers:
    for count in (40, 63, 64, 126, 127, 128, 129, 999, 1001, 30000):
        for ask in (echo, later, soon, budget):
            try:
                ask(deep(make, count))
            except Exception as error:
                print(count, str(error)[:70])
SUBMIT(deep(makers[2], 20000))
