# Looks for what a session beside it has, by name, by guess and by what is shared
found = []
for name in ('mine', '_as_it_was', 'session', 'sandbox', 'neighbour', 'context_1', 'history_1', 'files', '_', '__', 'In', 'Out', 'rlm', 'self', 'repl', 'host', '__agent_main__'):
    for way in (name, f'FINAL_VAR({name!r}) if 0 else {name}', f'read_context({name!r})', f'global {name}; {name}', f'[x for x in {name}]', f'{name}.clear()', f'del {name}[:]'):
        try:
            found.append((name, eval(way)))
        except BaseException as error:
            said = str(error)
_as_it_was.clear()
_as_it_was.extend(found)
_as_it_was = mine = None
while True:
    mine = [mine, read_context]
