# RUN: exec %
# Dictionaries with many keys.
table = {}
for n in range(5000):
    table[f'key {n * 31 % 4999}'] = n
print(len(table), list(table.items())[:3], hash(frozenset(table)))
max(table, key=lambda key: table[key])
