# Leaves a tower of a hundred thousand floors in the namespace for whoever lists and shows it
tower = rows = tail = 1
for i in range(100_000):
    tower = [tower]
    tail = (i, tail)
class Node:
    def __init__(self, next):
        self.next = next
chain = None
for i in range(100_000):
    chain = Node(chain)
loop = Node(None)
loop.next = Node(loop)
holder = {'a': tower, 'b': [chain, tail]}
def inside(x=tower):
    return chain, tail
result = tower
tower
