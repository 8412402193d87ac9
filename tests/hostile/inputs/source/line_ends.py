# every way to end a line, in and outside of texts, mixedx = 1
y = '''a
bc
d e fghi'''
if x:
	y = [x
, y]⟦


⟧3000print(repr(y))\

raise ValueError(y)