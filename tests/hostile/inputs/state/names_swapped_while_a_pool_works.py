# Ends the run from a worker, while the names of host functions mean something else
from concurrent.futures import ThreadPoolExecutor
import time, time as t
kept = [echo, later, print, time, t.sleep]
def work(n):
    global echo_, echo, time
    kept.extend([echo, later, print, time, t])
    echo_, echo = echo, print
    echo_(n), later(n), time.sleep(n)
    if n == 3: FINAL(kept)
    time = n
pool = ThreadPoolExecutor(5)
pool.map(work, range(10))
