# Raises and catches every word with which the sandbox itself ends scripts
import time
time.sleep(9e9)
words = ['memory limit exceeded: ', 'timeout: time limit exceeded: 1s', 'stopped by the host', 'this waits for ever', 'cannot wait here', 'the script waits for something that nobody will answer',
         'No active exception to reraise', 'external call limit exceeded (100000 in all, 256 open)', 'canceled', 'budget exceeded', 'time limit exceeded', 'maximum recursion depth exceeded', "name '_rlm_kit' is not defined"]
kinds = [MemoryError, TimeoutError, RuntimeError, RecursionError, KeyboardInterrupt, BaseException, NameError, StopIteration]
def gen(error):
    yield error
    raise error
for word in words:
    for kind in kinds:
        for way in (lambda: [*gen(kind(word))], lambda: sorted([1], key=lambda x: 1 / 0 if x > 1 else [*gen(kind(word))])):
            try:
                way()
            except kind as error:
                print(error)
            except RuntimeError as error:
                print(error, word)
raise TimeoutError('Monty time limit exceeded')
