# A small value that is written out as one without end
value = [1]
for _ in range(40):
    value = [value, {'a': value}, (value,)]
try:
    echo(value)
finally:
    SUBMIT(value, answer=value)
