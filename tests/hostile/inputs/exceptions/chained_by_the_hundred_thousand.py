# Chains exceptions by cause, context and handler until the chain is longer than any stack
error = ValueError('first')
for n in range(100000):
    try:
        try:
            raise error
        except ValueError as last:
            raise ValueError(f'{n}') from (last if n % 2 else None)
    except ValueError as last:
        error = last
def unwind(n):
    try:
        raise error
    except ValueError:
        if n < 900: unwind(n + 1)
        raise KeyError(n)
unwind(0)
