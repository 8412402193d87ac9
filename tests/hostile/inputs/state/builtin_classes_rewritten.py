# Writes into the classes of builtins, of the host's functions and of exceptions
class Own: pass
things = [int, str, list, dict, tuple, set, float, bool, type, object, type(None), type(len), type(print), type(echo), type(lambda: 0), type(x for x in []), ValueError, BaseException, Own, type(Own), type(Own()), type(answer), type(...)]
for thing in things:
    for name in ('__repr__', '__eq__', '__hash__', '__class__', '__dict__', 'append', 'items', '__len__', '__name__', '__str__', 'real', '__init__', '__new__', '__getattr__', 'args', '__call__'):
        for way in (lambda: setattr(thing, name, print), lambda: object.__setattr__(thing, name, print), lambda: thing.__dict__.update({name: print}), lambda: type.__setattr__(thing, name, 1)):
            try:
                way()
                if thing is not Own: print('set', thing, name)
            except Exception as error:
                said = str(error)
[1, 'a', [2], {3: 4}, (5,), {6}, ValueError('7'), echo]
