# Asserts with messages that are computed, huge, wrong and asked for
def message(n):
    assert n, message(n - 1)
    return later('x' * 10 ** 4) * n
for given in ('x' * 10 ** 7, [1] * 10 ** 6, message, AssertionError, b'\xff' * 10 ** 6, None):
    try:
        assert not given, given
        assert 0, (given, given)
    except AssertionError as error:
        print(f'{error}'[:50], len(error.args))
assert 0, (message(400), [message] * 10000)
