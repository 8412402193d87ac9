# text is evaluated in the last frames there may be, and what goes wrong is caught
def f(n, g): return g('[1, [2]]') if n == 0 else f(n - 1, g)
for g in [lambda t: exec(t), lambda t: eval(t), lambda t: eval(f'eval({t!r})')]:
    for n in range(960, 1010):
        try: f(n, g)
        except BaseException as e: print(n, repr(e)[:60])
