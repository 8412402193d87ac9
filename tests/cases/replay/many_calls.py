# RUN: exec % --tool 'echo(x)=cat'
# Calls in a loop, each with another argument.
total = 0
for n in range(12):
    total += echo(n)['x'] * n
total
