# The same with tuples, whose tags are objects, and with the answer dropped before it comes
rows = [((), b'', 2.0 ** 2000 if 0 else float('inf'), frozenset())] * 80000
left = soon(rows)
left = later(rows)
echo(rows)
