# Asks for lists of what there is, where there is very much, and long names
for i in range(60):
    exec(f'{"n" * 1000}_{i} = [{"()," * 300}]')
    exec(f'def {"f" * 1000}_{i}(): return SHOW_VARS()')
seen = 0
while True:
    seen += len(SHOW_VARS()) + len(f'{budget()}')
