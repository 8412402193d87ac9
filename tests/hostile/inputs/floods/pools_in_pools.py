# Workers that wait for pools of their own, and for themselves
from concurrent.futures import ThreadPoolExecutor, ProcessPoolExecutor, wait
def work(n):
    with ThreadPoolExecutor(3) as inner, ProcessPoolExecutor() as other:
        futures = [inner.submit(work, n + 1), other.submit(later, n), outer.submit(work, n)]
        futures[1].add_done_callback(lambda future: work(n))
        wait(futures, timeout=0, return_when='FIRST_COMPLETED')
        return [future.result() for future in futures]
with ThreadPoolExecutor(2) as outer:
    first = outer.submit(work, 0)
    first.add_done_callback(lambda future: future.result())
    first.result()
