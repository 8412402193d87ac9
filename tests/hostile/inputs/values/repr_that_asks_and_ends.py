# Asks the host, waits and ends the run from where its value is shown
class Shown:
    def __init__(self, n): self.n = n
    def __repr__(self):
        if self.n == 0: return later('x')
        if self.n == 1: return f'{soon(1)}'
        if self.n == 2: FINAL([Shown(3)])
        if self.n == 3: SUBMIT(Shown(0), a=Shown(2))
        answer['ready'] = Shown(self.n - 1)
        return llm_query(f'{Shown(self.n - 1)}')
answer['content'] = Shown(5)
[Shown(2), Shown(5), Shown(0), Shown(3)]
