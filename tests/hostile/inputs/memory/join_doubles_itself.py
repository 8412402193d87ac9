# Joins a text with itself until nothing more fits, catching what is raised on the way
s = 'ab'
refused = 0
while refused < 50:
    try:
        s = s.join((s, s, s))
    except BaseException as e:
        refused += 1
        s = s[:len(s) // 2] or 'ab'
