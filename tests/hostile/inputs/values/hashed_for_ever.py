# Is hashed and compared by all paths through what is shared, without a word of text
one, two = (1,), (1,)
for _ in range(60):
    one, two = (one, one), (two, two)
result = {one: 1}
[one == two, two in result, isinstance(1, (one, int))]
