# Says that the answer is ready, and then asks, waits and ends once more when it is read
class Asks:
    n = 0
    def __str__(self):
        Asks.n += 1
        if Asks.n == 1: FINAL(later('x'))
        return later('x') + echo(1)
answer.update(ready=1, content=Asks())
FINAL('first')
