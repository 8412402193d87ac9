# Plays with the names that a module has of itself
def tell():
    global __name__, __annotations__, __dict__, __doc__
    __dict__ = {}
    return __name__
x: tell() = 1
y: (z := later(1))
class A:
    a: A
    b: 'A' = 1
    c: echo([1]) = 2
for name in ('__annotations__', '__dict__', '__slots__', '__module__', '__qualname__', '__doc__', '__name__'):
    setattr(A, name, ('a', 'a', 'b c', '', tell))
def f(a: soon(1), *b: f, **c: 'x' * 10) -> f.__annotations__: f.__annotations__['x'] = f
for name in ('__name__', '__file__', '__annotations__', '__doc__', '__dict__', '__spec__', '__path__', '__all__', '__main__', '__debug__', '__builtins__'):
    for way in (name, f'{name} = 1', f'del {name}', f'{name}.x = 1', f'{name}["a"] = 1', f'global {name}', f'{name}: int = 1', f'def {name}(): pass', f'import math as {name}'):
        try:
            exec(way)
            print('did', way)
        except BaseException as error:
            said = f'{error}'
[A(), f.__annotations__, A.__annotations__, tell()]
