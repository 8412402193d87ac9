# Names of the namespace that are as long as texts may be, and as many as fit
for i in range(60):
    try:
        exec('a' * 1_000_000 + f'{i} = {i}')
    except Exception as e:
        print(type(e).__name__, str(e)[:80])
        exec('b' * 100_000 + f'{i} = {i}')
SHOW_VARS()
