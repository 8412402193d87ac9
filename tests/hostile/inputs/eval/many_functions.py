# functions until the tables are full, without any memory; then those that the session needs
for n in range(11):
    try: exec('lambda:0\n' * (6553 if n < 10 else 1))
    except Exception as e: print(n, repr(e)[:99])
try: exec('lambda:0\n' * 5)
except Exception as e: print(repr(e)[:99])
