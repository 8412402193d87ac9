# halves of letters in whatever goes out: printed, shown, raised, asked, named
x = '\ud800' * 3 + '\N{BULLET}\udfff' + b'\xed\xa0\x80'.decode('utf-8', 'replace')
for f in [print, echo, later, llm_query, lambda x: {x: x}, lambda x: x.encode(), lambda x: fail(x, x), lambda x: FINAL_VAR(x), lambda x: x.isidentifier(), lambda x: log(x), lambda x: exec(x),
          lambda x: f'{x:>9}', lambda x: setattr(print, x, 1), lambda x: {}[x], lambda x: __import__(x), hash, lambda x: bytes(x, 'utf-8')]:
    try: print(repr(f(x)))
    except Exception as e: print(repr(e))
print(x, end=x)
answer[x] = x
raise ValueError(x)
