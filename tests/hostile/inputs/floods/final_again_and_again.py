# Says that it is done, in every corner where it could be said once more
from concurrent.futures import ThreadPoolExecutor
def again(n):
    try:
        FINAL(FINAL)
    except BaseException:
        SUBMIT(*[n] * 1000, **{'a': n})
    finally:
        again(FINAL_VAR('again'))
class Last:
    def __repr__(self):
        FINAL(self)
answer['content'], answer['ready'] = 'x' * 10000000, [Last()]
with ThreadPoolExecutor(5) as pool:
    pool.map(again, range(100))
Last()
