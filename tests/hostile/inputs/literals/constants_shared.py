# a large constant that is there thousands of times, and grows where one cannot see it
x = '⟦x⟧9000'
⟦x += '⟧1⟦y⟧9000'
y = [x * 1000] * 1000
z = {**{n: y for n in range(1000)}}
w = (x * 5000, x * 5000)
[z, w]
