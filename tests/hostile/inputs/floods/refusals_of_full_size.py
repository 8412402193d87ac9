# Exceptions of the host's with eight megabytes to say, caught and forgotten
text = 'x' * 8000000
while True:
    try:
        fail('ValueError', text)
    except ValueError:
        pass
