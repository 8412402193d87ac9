# RUN: exec %
# JSON both ways.
import json
data = {'a': [1, 2.5, None, True, 'ä"'], 'b': {'c': -1e-7, 'd': 10 ** 20}}
text = json.dumps(data)
print(text, json.loads(text) == data)
json.dumps(data, indent=2, sort_keys=True)
