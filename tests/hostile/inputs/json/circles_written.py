# Writes what holds itself, or what is turned into something that holds itself, in every way
import json
l, d = [], {}
l += [d, l]
d['l'], d['d'] = l, d
class Me:
    def __iter__(self):
        return iter([self])
    def keys(self):
        return ['a']
    def __getitem__(self, k):
        return self
    def __str__(self):
        return json.dumps(self, default=str)
deep = []
for i in range(5000):
    deep = [deep] if i % 2 else {'a': deep}
for x in (l, d, [d] * 9, {'a': l}, Me(), deep, (l,), {1: deep}, [[Me()]]):
    for named in ({}, {'indent': 1}, {'default': lambda o: o}, {'default': lambda o: [o]}, {'default': lambda o: {'x': [o, o]}}, {'default': str}, {'check_circular': False}, {'sort_keys': True, 'skipkeys': True}, {'cls': json.JSONEncoder}):
        try:
            print(len(json.dumps(x, **named)))
        except BaseException as e:
            print(type(e).__name__, str(e)[:60])
d
