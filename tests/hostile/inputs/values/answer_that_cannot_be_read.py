# Says that the answer is ready, and the answer raises whenever it is read
class Never:
    def __str__(self): raise ValueError('not today')
    __repr__ = __bool__ = __str__
answer['content'] = Never()
answer['ready'] = True
