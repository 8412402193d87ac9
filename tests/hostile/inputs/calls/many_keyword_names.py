# A hundred thousand keyword arguments with names of their own
names = {f'k{i}': 0 for i in range(100000)}
echo(1, **names)
