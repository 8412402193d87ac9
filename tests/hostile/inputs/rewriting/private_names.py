# private names become longer by the name of their class, which is as long as the script may be
class ⟦A⟧24000:
    def f(self):
⟦        self.__a
⟧2300