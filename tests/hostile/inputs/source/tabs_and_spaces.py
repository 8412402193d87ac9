# tabs that are as wide as somebody thinks, in functions, generators and classes
def f():
	x = 1
	for y in [1]:
	        if y:
	        	x = y; return x
class A:
 def g(self):
  	yield 1
  	try: yield 2
  	finally: 	 print(3)
 def h(self): 	 yield 1; 	 yield 2
 @property
 	
 def i(self):	yield from self.h()
for x in A().g():
	print(x, [*A().i])
for	x	in	A().h():	print(x)
f()
