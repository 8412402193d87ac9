# Takes all memory, catches that, keeps what it has and takes more
kept = []
def take(size):
    while size:
        try:
            kept.append('x' * size + str(size))
            kept.append([kept] * size)
            kept.append(f'{kept[-2]:>{size * 2}}')
        except BaseException:
            size //= 2
        finally:
            kept.append({size: kept})
for _ in range(1000):
    try:
        take(10 ** 6)
    except BaseException as error:
        kept.append(error)
