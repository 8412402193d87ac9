# RUN: exec %
#
# The last expression is the value, as in a REPL.
rows = [n * n for n in range(5)]
{"rows": rows, "sum": sum(rows)}
