# Builds chains that are deeper than any stack, and lets go of them in one moment
class Node: pass
x = t = f = g = n = i = None
for _ in range(60000):
    x, t = [x], (t,)
    f = (lambda f: lambda: f)(f)
    node = Node()
    node.n, n = n, node
    i = iter([i])
kept = {1: x}
x = t = f = n = i = node = None
kept
