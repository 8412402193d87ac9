# RUN: exec %
# The clock goes on with fuel and with sleeps.
import time
from datetime import datetime
start = time.time()
for _ in range(1000):
    pass
time.sleep(1.5)
(round(time.time() - start, 3), str(datetime.now())[:19], time.monotonic() > 1.5)
