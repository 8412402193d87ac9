# functions in functions, with variables of those around: what has to be found out grows with depth
for n in [4, 8, 12, 16, 20, 60, 99]:
    text = '\n'.join([' ' * k + f'def f(a{k}):' for k in range(n)] + [' ' * n + 'return ' + '+'.join([f'a{k}' for k in range(n)])])
    exec(text)
    print(n)
