# Is one byte longer than a value may be, in text, in repr, in JSON and in pieces
return_value = 'é' * 524287 + 'x'
for size in (1048574, 1048575, 1048576, 1048577):
    FINAL_VAR(1) if size < 0 else None
    exec(f'v{size} = "x" * {size}')
    exec(f'w{size} = ["x" * 1000] * {size // 1004}')
    exec(f'u{size} = [0] * {size // 2}')
    print('x' * (size // 3), end='é')
answer['content'] = ['é' * 524288]
answer['ready'] = True
