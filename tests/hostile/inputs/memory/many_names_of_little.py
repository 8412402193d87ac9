# A hundred thousand names, each with a small value that has to be listed and written down
for i in range(100_000):
    exec(f'n{i} = ("x", {i}, [n{i - 1}] if {i} else 0)')
