# Classes from classes, each below the last, each inside the last, and each of all the others
def go(f):
    try:
        print(str(f())[:60])
    except BaseException as e:
        print(type(e).__name__, str(e)[:60])
text = 'class C0:\n def f(self): return 0\n'
for i in range(1, 400):
    text += f'class C{i}(C{i - 1}):\n def f(self): return super().f() + 1\n'
go(lambda: exec(text + 'print(C399().f())\nprint(isinstance(C399(), C0))'))
many = ''.join(f'class D{i}: x{i} = {i}\n' for i in range(300)) + 'class E(' + ','.join(f'D{i}' for i in range(300)) + '): pass\nprint(E().x299)'
go(lambda: exec(many))
inner = ''.join(' ' * i + f'class K{i}:\n' for i in range(90)) + ' ' * 90 + 'x = 1'
go(lambda: exec(inner))
def make(n):
    class A:
        below = make(n - 1) if n else None
        def __getattr__(self, name):
            return getattr(self.below(), name)
        def __repr__(self):
            return repr(self.below())
    return A
go(lambda: make(900)().below)
x = None
go(lambda: make(100)().nothing)
go(lambda: repr(make(100)()))
make(300)()
