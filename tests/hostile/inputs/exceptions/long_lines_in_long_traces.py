# Fails a thousand frames deep, in lines that are as long as a source may be
def f(n): return f(n + 1) if n < 2000 else 0 #⟦ x é⟧15000
try: f(0)
except RecursionError: f(0) if 1 else '⟦\t⟧2000'
