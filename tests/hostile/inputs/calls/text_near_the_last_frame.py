# Has text evaluated where the stack is all but used up, which then is no text any more
def down(n):
    try:
        eval('down(n + 1)') if n % 2 else exec('down(n + 1)')
    except RecursionError:
        read_context('x', n)
    finally:
        eval('n')
down(0)
