# Dictionaries that look like what stands for other values on the way
tags = ['$tuple', '$set', '$frozenset', '$dict', '$int', '$float', '$bytes', '$date', '$datetime', '$repr', '$', '$$tuple']
inner = [[[]], [[1, 2], [[], 3]], 'nan', '9' * 5000, '-1e5', 'AAH', '9999-99-99', '0000-01-01', '2024-02-31T25:61:61', '2024-01-01T00:00:00+99:99',
         [[{'$set': [[]]}]], None, {'$tuple': {'$tuple': []}}, '1-1-1T1:1:1.é', '2024-01-01T0:0:0.000000000000é+1']
for tag in tags:
    for value in inner:
        for given in ({tag: value}, [{tag: value}], {tag: value, 'b': 1}, {'a': {tag: {tag: value}}}):
            for ask in (echo, later):
                try:
                    answer = ask(given)
                    if answer != given:
                        print(f'{given!r:.60}', f'{answer!r:.60}')
                    hash(f'{answer}')
                except Exception as error:
                    print(f'{given!r:.60}', str(error)[:60])
{'$repr': ({'$tuple': [1]}, {'$set': [[1]]})}
