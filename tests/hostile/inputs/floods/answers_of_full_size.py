# Each answer is as large as it may be, and nobody needs any
text = 'x' * 102000
while True:
    echo(text)
