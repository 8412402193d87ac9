# RUN: exec %
# Regular expressions.
import re
log = '\n'.join(f'10.0.{n % 7}.{n} GET /page/{n} {200 + n % 3}' for n in range(300))
hits = re.findall(r'^(\S+) GET /page/(\d+) 201$', log, re.M)
print(len(hits), hits[:2], re.sub(r'\d+', '#', log[:40]))
sorted({host for host, _ in hits})
