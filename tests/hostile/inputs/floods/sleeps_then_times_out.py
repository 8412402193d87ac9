# Sleeps past every limit and raises what the sandbox itself would raise
import time
time.sleep(10 ** 7)
raise TimeoutError('timeout: time limit exceeded: 1s')
