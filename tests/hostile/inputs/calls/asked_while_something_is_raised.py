# Asks in handlers, in finally and in exits, while one exception chases another
class Manager:
    def __enter__(self): later(0); return self
    def __exit__(self, kind, error, trace):
        later(f'{error}')
        fail('KeyError', str(later(kind is None)))
def chase(n):
    try:
        with Manager():
            fail('ValueError', f'{n}')
    except KeyError as error:
        later([n])
        raise TypeError(later('x')) from error
    finally:
        try:
            return later(chase(n + 1))
        finally:
            soon(n)
try:
    print(chase(0))
except BaseException as error:
    print(repr(error)[:100])
while True:
    try:
        raise ValueError(later(1))
    except ValueError:
        continue
    finally:
        later(2)
