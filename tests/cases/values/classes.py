# RUN: exec %
#
# A class next to its instance crashes the interpreter's own export; it leaves
# as text.
class Point:
    def __init__(self, x):
        self.x = x
    def __repr__(self):
        return f"Point({self.x})"
[Point, Point(3)]
