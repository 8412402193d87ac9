# widths in the text itself, for whoever works them out before anything runs
x = 3.14
try: print(f'{x:.9999999f}' f'{x:>9999999}' f'{x!r:>9999999}' f'{x:.999999g}')
except Exception as e: print(repr(e))
print('{:>9999999}'.format(x)[:9], '%9999999d' % 1 == 1, '%.9999999f' % x == 1)
⟦f'{x:.65534f}'
⟧3000