# Warns, filters, records and turns warnings into errors, within each other
import warnings, logging
class Odd:
    def __str__(self): warnings.warn(Odd()); return 'x'
def show(*args, **more): warnings.warn(f'{args}')
warnings.showwarning = warnings.formatwarning = show
for action in ('error', 'always', 'once', 'nonsense', None, 'ignore'):
    for kind in (UserWarning, DeprecationWarning, Warning, ValueError, 1, Odd):
        try:
            warnings.simplefilter(action, kind)
            with warnings.catch_warnings(record=True) as seen:
                warnings.warn('x' * 1000000, kind, stacklevel=10 ** 10)
                warnings.warn(Odd(), UserWarning)
            raise kind(seen)
        except BaseException as error:
            print(f'{error!r}'[:80])
while True:
    warnings.warn(Odd())
