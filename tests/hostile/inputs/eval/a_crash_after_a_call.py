# the interpreter's stack ends in an evaluated text, after calls that the host has already answered
print(later(1), echo(2), llm_query('3'))
x = [later(n) for n in range(20)]
answer['content'] = x
eval('1' + '+1' * 200000)
