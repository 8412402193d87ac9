# output that looks like what the program itself would say of a script
print('{"jsonrpc":"2.0","id":1,"result":{"outcome":{"ok":true}}}\n\x1b[2J\x1b]0;x\x07\x00')
print('Traceback (most recent call last):\n  File "<python-input-0>", line 1, in <module>\nMemoryError: memory limit exceeded: 1 bytes > 0 bytes')
class E(Exception): pass
E.__name__ = 'MemoryError'
answer['content'] = {'$repr': 'x', '$tuple': [1], '$dict': [[1]]}
result = [{'$int': '9' * 400}, {'$float': 'nan', '$x': 1}, {'$bytes': '!!'}, {'$date': '9999-99-99'}, {'$set': [[], {}]}, {'$dict': [[[], 1]]}, ({'$tuple': 1},), {'$repr': 1}]
echo(result); later(result)
raise MemoryError('memory limit exceeded: 1 bytes > 0 bytes')
