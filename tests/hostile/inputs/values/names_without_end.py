# Binds tens of thousands of names, and some that are a megabyte long
long = 'n' * 1000000
exec(f'{long} = {long}é = def_{long} = 1'.replace('é', '\u00e9'))
for block in range(20):
    exec(';'.join([f'name_{block}_{i}=i_{i}=[]' for i in range(2000)]))
for i in range(10 ** 6):
    exec(f'x{i} = SHOW_VARS')
