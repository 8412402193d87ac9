# Is small and shared, and twice as long with each level that is written out
value = 'ab'
for _ in range(60):
    value = [value, value]
value
