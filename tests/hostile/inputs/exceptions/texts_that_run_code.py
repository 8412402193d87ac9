# Raises an exception whose text, args and notes run code when somebody reads them
class Harm(Exception):
    def __init__(self, *args):
        self.args = args
        self.n = 0
    def __str__(self):
        self.n += 1
        while self.n > 20: pass
        return f'{self.args!r}' * self.n * 1000
class Text:
    def __repr__(self): raise Harm(Harm(Text))
    def __str__(self): return 'x' * 10 ** 7
error = Harm(Text(), [Text] * 1000)
error.args = (error, error)
error.add_note('n' * 10 ** 6)
try:
    raise error from error
except Harm as again:
    again.__cause__ = again.__context__ = again
    raise again from Harm(again, Text)
