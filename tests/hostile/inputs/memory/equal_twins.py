# Two towers where each floor holds the one below twice; being equal takes for ever
a, b = [[]], [[]]
for i in range(900):
    a, b = [a, a], [b, b]
a == b
