# RUN: exec %
# Sorting with keys of all kinds.
rows = [{'n': n * 37 % 101, 's': str(n * 53 % 97)} for n in range(100)]
rows.sort(key=lambda row: (row['s'], -row['n']))
print([row['n'] for row in rows[:10]])
sorted((row['n'] for row in rows), reverse=True)[:5]
