# Imports where no import should be seen: in classes, loops, functions, handlers and twice at once
class C:
    import json, re as json
    from math import pi as self, tau as __class__
    def f(self, m=__name__):
        from heapq import heappush as print, nlargest as f
        global heapq
        import heapq, collections.abc, concurrent.futures as json
        return f(1, [json, print, self.json])
for i in range(100):
    import string, statistics as i, textwrap as C, heapq as _, bisect as \
        range
