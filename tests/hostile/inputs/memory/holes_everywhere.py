# Takes pieces of many sizes, gives every other one back, and asks for a little more than the holes
rooms = []
size = 24
for turn in range(60):
    try:
        fresh = [('%d' % i) * size for i in range(3000)]
        rooms.append(fresh[::2])
        if turn % 3 == 2:
            rooms = [r[::2] for r in rooms]
        size += 40 + turn
    except BaseException as e:
        print(type(e).__name__)
        rooms = rooms[::2]
[len(r) for r in rooms]
