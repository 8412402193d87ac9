# as many evaluations as there is time for, each of another text that is kept for tracebacks
fs = []
n = 0
while True:
    n += 1
    fs.append(eval(f'lambda x: x + {n}' + ' ' * 999))
    exec(f'def f{n % 9}(x=fs): return g{n}')
