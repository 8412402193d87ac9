# Gives classes and instances another class, another name, slots, and methods of other things
class A:
    __slots__ = ('a', '__dict__', '__class__', '__weakref__')
    def __getattr__(self, name): return getattr(self, name + 'x')
    @property
    def p(self): return self.p
    @p.setter
    def p(self, value): self.p = value
class Meta:
    def __call__(self, *args): return Meta()
    def __getitem__(cls, item): return cls[item]
class B:
    d = Meta()
    @staticmethod
    @classmethod
    @property
    def q(self): return B.q
setattr(Meta, '__get__', lambda *a: B().d)
setattr(B, '__set_name__', Meta)
for text in ['A().b', 'A().p', 'B().d', 'B.q', 'B().q()', 'A().__class__ = B', 'B.__class__ = Meta', 'B.__name__ = A', 'B.__bases__ = (A,)', 'B.__mro__', 'isinstance(1, Meta())', 'Meta[1]', 'A.__init__ = A', 'A()', 'A().a', 'B.__eq__ = B.__hash__ = None',
             '{B(): 1}', 'B.__len__ = len', 'len(B())', 'B.__iter__ = B', '[*B()]', 'B.__repr__ = repr', '[B()]', 'B.__del__ = print', 'del A.p', 'vars(B())', 'setattr(B, "x" * 10 ** 6, B)', 'setattr(B(), 1, 2)', 'int.real = 5', 'str.x = 1',
             'setattr(list, "append", print)', 'dict.__getitem__ = print', 'B.__getattr__ = getattr', 'B().zz', 'hasattr(B(), "zz")', 'B.__enter__ = B.__exit__ = B\nwith B(): pass', 'B.__call__ = B()\nB()()']:
    try:
        exec(text)
        print('did', text[:40])
    except BaseException as error:
        print(text[:40], str(error)[:60])
