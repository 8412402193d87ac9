# Binds names whose values never end, or fight back, when somebody lists them
import itertools
class Fights:
    def __len__(self): return -5
    def __repr__(self):
        while True: kept.append(Fights())
    def __getattr__(self, name): return Fights()
    def __iter__(self): return self
    def __next__(self): return self
    def __eq__(self, other): raise SystemExit
    def __hash__(self): return 1
Fights.__name__ = Fights()
kept = [Fights()]
a, b, c, d = itertools.count(), Fights(), Fights, {Fights(): Fights()}
e = [[[[[[[[[[[[[[[[[[[[['x' * 100000] * 100] * 100]]]]]]]]]]]]]]]]]]]
f = (e,) * 1000
exec('é' * 10000 + ' = ' + 'ª = ｘ = 变量 = __ = ___x = e')
print(SHOW_VARS())
FINAL_VAR('  "\'b\'"  ')
