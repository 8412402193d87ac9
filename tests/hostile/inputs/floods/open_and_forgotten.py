# Leaves open as many calls as may be, and loses every one, then asks on
forgotten = [soon(i) for i in range(255)]
forgotten.clear()
for i in range(10000):
    later(i)
    x = soon(i)
    x = None
