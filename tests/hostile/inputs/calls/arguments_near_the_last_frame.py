# Asks with nested arguments where the stack is all but used up, and says whether they arrive
lost = []
def down(n):
    given = ['abc', [n, {'k': (n,)}]]
    try:
        if echo(given) != given:
            lost.append(n)
        down(n + 1)
    finally:
        SUBMIT(answer=given, lost=lost)
down(0)
