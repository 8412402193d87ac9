# calls, items and attributes of results, each around the one before
class A:
    def __getattr__(self, name):
        return self
    def __getitem__(self, key):
        return self
    def __call__(self, *args):
        return self
a = A()
print(a⟦.b()[0]⟧6000)
