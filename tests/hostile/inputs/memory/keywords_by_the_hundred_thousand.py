# One call with so many named arguments that looking for doubles among them takes for ever
k = dict.fromkeys([f'k{i}' for i in range(120_000)], 0)
echo(**k)
