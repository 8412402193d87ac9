import json
rows = [{'id': i, 'name': 'n' + str(i), 'tags': ['a', 'b'], 'x': i / 3} for i in range(2_000)]
len(json.dumps(json.loads(json.dumps(rows))))
