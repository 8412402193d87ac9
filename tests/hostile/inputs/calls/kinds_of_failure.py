# Has the host raise exceptions of every kind there is, is not, or could be mistaken for one
kinds = ['BaseException', 'Exception', 'SystemExit', 'KeyboardInterrupt', 'GeneratorExit', 'StopIteration', 'StopAsyncIteration', 'MemoryError',
         'RecursionError', 'TimeoutError', 'ExceptionGroup', 'SyntaxError', 'UnicodeDecodeError', 'NotImplementedError', 'Nope', '', ' ', 'x' * 100000,
         'Value\nError', 'ValueError: x', 'os.error', 'json.JSONDecodeError', 're.PatternError', '__class__', '\x00', 'Traceback (most recent call last):']
texts = ['', 'x', 'memory limit exceeded: 1 bytes', 'timeout: time limit exceeded: 1s', 'stopped by the host', 'x\n  File "y", line 1\nz', '\x1b[2J\x00']
def numbers(kind, text):
    yield 1
    fail(kind, text)
async def waits(kind, text):
    fail(kind, text)
for kind in kinds:
    for text in texts:
        for way in (lambda: fail(kind, text), lambda: [*numbers(kind, text)], lambda: {fail(kind, text): 1}):
            try:
                way()
            except BaseException as error:
                print(repr(error)[:60], error.args == (text,))
        try:
            await waits(kind, text)
        except BaseException as error:
            print(type(error), error.__cause__)
fail('MemoryError', 'memory limit exceeded: told by a tool')
