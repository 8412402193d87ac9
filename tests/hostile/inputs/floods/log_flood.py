# Logs with formats, arguments and levels that are all far too large
import logging, warnings
log = logging.getLogger('x' * 100000)
log.setLevel(-10 ** 30)
for level in (10, 50, 10 ** 18):
    try:
        log.log(level, '%s' * 1000, *['y' * 10000] * 1000)
    except Exception as error:
        print(repr(error)[:80])
for i in range(10 ** 7):
    log.critical('%1000000d', i)
    warnings.warn('w' * 100000 + str(i))
    logging.getLogger('.'.join(['n'] * 500) + str(i)).error('e')
