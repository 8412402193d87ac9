# Raises the same exception from a million places, and reads its trace each time
import traceback, sys, logging
log = logging.getLogger('x')
error = ValueError('x' * 1000)
def again(n):
    try:
        raise error
    except ValueError as same:
        traceback.print_exc(), traceback.format_exception(same), log.exception('%s', same, exc_info=same)
        same.add_note(f'{sys.exc_info()}')
        if n < 30: again(n + 1)
        raise
    finally:
        traceback.print_exception(error)
while True:
    try:
        again(0)
    except ValueError:
        error.add_note(f'{error.args}')
