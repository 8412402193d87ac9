# Has as many items as fit, all of them small, in kinds that are copied and shown
result = {i: (i,) for i in range(120000)}
buffers.extend(result)
[*result.items(), {*result}, frozenset(result), [None] * 400000, {}.fromkeys(result)]
