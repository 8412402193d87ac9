# What comes back goes out again twice, until somebody says no, and then in a list
value = 'ab'
while True:
    try:
        value = echo(value) + later(value)
    except Exception:
        value = [value]
    if isinstance(value, dict):
        value = f'{value}'
