# Two functions with names of fifty thousand letters call each other until it is too deep
name = 'a' * 50_000
exec(f'def {name}():\n b()\ndef b():\n {name}()')
b()
