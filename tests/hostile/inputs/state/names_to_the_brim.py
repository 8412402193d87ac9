# Binds as many names as there may be, to the last one, so that nobody can bind another
for block in range(65):
    exec('='.join([f'v{block}_{j}' for j in range(1000)]) + '=[]')
left = 0
try:
    while True:
        left += 1
        exec('=w'.join([f'w{left}_{j}' for j in range(40)]) + '=1')
except SyntaxError as error:
    for j in range(40):
        try:
            exec(f'x{j} = 1')
        except SyntaxError:
            break
