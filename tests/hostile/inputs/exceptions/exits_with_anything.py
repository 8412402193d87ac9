# Leaves with codes that no process has, from within everything that could stop it
import sys, asyncio, threading
from concurrent.futures import ThreadPoolExecutor
async def leave(code): sys.exit(code)
codes = [0, -1, 2 ** 64, None, True, 'x\ny', b'x', [1] * 100, {}, 1.5, sys, leave, SystemExit, SystemExit(SystemExit('x')), float('nan'), '\x00']
for code in codes:
    for way in (lambda: sys.exit(code), lambda: asyncio.run(leave(code)), lambda: threading.Thread(target=sys.exit, args=(code,)).start(), lambda: [*ThreadPoolExecutor().map(sys.exit, [code])], lambda: sorted([1, 2], key=lambda x: sys.exit(code))):
        try:
            way()
        except BaseException as error:
            print(f'{error!r}'[:60], f'{error.args}'[:60], f'{getattr(error, "code", 7)!r}'[:60])
try:
    raise KeyboardInterrupt('x' * 1000000)
finally:
    raise SystemExit(codes)
