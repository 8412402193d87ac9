# One line that never ends, in letters of four bytes that no buffer divides
while True:
    print('x\U0010ffff\u0301', end='')
