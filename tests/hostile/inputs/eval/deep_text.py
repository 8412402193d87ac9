# deep text of every kind, just above and just below what is refused, and far beyond
def deep(a, x, b, n): return a * n + x + b * n
for a, x, b in ['(1)', '[1]', '{1}', ('-', '1', ''), ('not ', '1', ''), ('1+', '1', ''), ('1**', '1', ''), ('lambda:', '1', ''), ('f(', 'f', ')'), ('f', 'f', '()'), ('1 if 1 else ', '1', ''), ('x', 'x', '[0]'), ('', 'x', '.y'), ('[x for x in ', '[1]', ']'), ("f'{", '1', "}'"), ('x:=', '1', ''), ('1<', '1', ''), ('1 and ', '1', ''), ("'a'", 'x', ''), ('{1:', '1', '}'), ('*', 'x', ''), ('await ', 'x', '')]:
    for n in [90, 190, 250, 1200, 3000]:
        try: eval(deep(a, x, b, n))
        except Exception as e: print(a, n, type(e).__name__, end=' ')
