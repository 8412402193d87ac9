# Source that runs source that runs source, each with names, functions and errors of its own
depth = [0]
code = 'depth[0] += 1\nexec(code)'
def go(f):
    try:
        print(str(f())[:60])
    except BaseException as e:
        print(type(e).__name__, str(e)[:60])
go(lambda: exec(code))
text = '1'
for i in range(12):
    text = f'eval({text!r})'
go(lambda: len(text))
go(lambda: eval(text))
go(lambda: exec('def f(): exec("f()")\nf()'))
go(lambda: eval('[' * 5000))
go(lambda: eval('-' * 5000 + '1'))
go(lambda: eval('lambda: ' * 3000 + '1'))
go(lambda: eval('(' * 190 + '1' + ')' * 190))
go(lambda: eval('a' + '.a' * 5000, {'a': 1}))
go(lambda: eval('1' + '+1' * 5000))
go(lambda: eval('f' + '()' * 3000))
go(lambda: exec('if 1:\n' + ''.join(' ' * i + 'if 1:\n' for i in range(1, 150)) + ' ' * 150 + 'x = 1'))
go(lambda: exec('x = ' * 5000 + '1'))
go(lambda: exec('exec(' * 150 + '"1"' + ')' * 150))
while True:
    exec('exec("exec(\'depth[0] += 1\')")')
