# RUN: exec %
# Classes, instances, identities.
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y
    def __eq__(self, other):
        return (self.x, self.y) == (other.x, other.y)
    def __hash__(self):
        return hash((self.x, self.y))
    def __repr__(self):
        return f'Point({self.x}, {self.y})'
points = {Point(n % 5, n % 3) for n in range(60)}
print(sorted(points, key=repr)[:4], Point(1, 2) == Point(1, 2))
class Plain: pass
[Plain() for _ in range(2)], id(points) == id(points)
