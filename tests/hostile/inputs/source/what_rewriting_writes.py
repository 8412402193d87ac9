# what the rewriting itself would have written, as if it had been here already
def __agent_main__(): return 1
class A:
    def _give(self, x=None): pass
    def _do(self, x): x()
_g = A()
def f():
    def part():
        return (1)
    _g._do(part); _value = 1; return _g
(f()); _value=(1)
__agent_main__()
return __agent_main__() if f else _value
