# A pool as wide as one likes, whose workers print, sleep, ask and never end
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
def work(n):
    print('x' * n)
    time.sleep(n)
    echo(n)
    return work(n + 1)
with ThreadPoolExecutor(max_workers=10 ** 9) as pool:
    futures = [pool.submit(work, n) for n in range(20000)]
    for future in as_completed(futures):
        print(future.result())
