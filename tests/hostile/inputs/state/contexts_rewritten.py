# Changes, deletes and shadows all that a session says of its contexts, and reads it again
for again in range(3):
    for name in ('context', 'files', 'context_files', 'context_0', 'context_255', 'context_256', 'history', 'history_0', 'history_99999999999999999999', 'buffers', 'answer', 'history_-1'):
        for way in (f'{name} = [{name}] * 1000', f'{name}[0] = {name}', f'{name}["x"] = {name}', f'{name}.clear()', f'{name} += {name}', f'global {name}\n{name} = 5', f'def {name}(): return {name}', f'for {name} in [1]: pass', f'{name}: int'):
            try:
                exec(way)
            except BaseException as error:
                said = str(error)
    context = files = context_files = context_0 = history = files if again else {}
    history_1, history_2 = [read_context], context
SHOW_VARS(), read_context('context')
