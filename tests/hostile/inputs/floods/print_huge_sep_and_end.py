# Lets few arguments become a gigabyte through the separator and the end
sep = 'é' * 1000000
print(*range(1000), sep=sep, end=sep * 20)
print(*['x' * 50000000] * 20, sep='', end='')
