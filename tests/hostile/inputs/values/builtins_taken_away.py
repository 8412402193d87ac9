# Binds every builtin to something that cannot be called, and then needs them all
for name in 'abs all any bool bytes dict float frozenset getattr hasattr hash id int isinstance iter len list map max min next object print range repr reversed round set setattr sorted str sum super tuple type zip Exception BaseException ValueError TypeError KeyError StopIteration RuntimeError NotImplemented True_ locals issubclass callable dir vars format chr ord open'.split():
    exec(f'def {name}(*args, **more): raise name')
print = repr = str = f'{[]}'
class Left:
    def __repr__(self): raise ValueError
[1, {2: (3,)}, {4}, b'5', Left, Left()]
