# Lists, dicts and sets that are fed with themselves, or grow while somebody goes through them
def go(f):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
def walk_dict():
    d = {0: 0}
    for k in d:
        d[k + 1] = k
def walk_set():
    s = {0}
    for k in s:
        s.add(k + 1)
def into_itself():
    l = [1]
    while True:
        l.extend(l)
        l += l
        l[1:1] = l
        l[::1] = l * 2
def update_itself():
    d = {0: 0}
    while True:
        d.update({k + len(d): v for k, v in d.items()})
        d |= d
def walk_list():
    l = [0]
    for x in l:
        l.append(x)
        l.insert(0, l)
        l += l[:3]
for f in (walk_dict, walk_set, into_itself, update_itself, walk_list):
    go(f)
