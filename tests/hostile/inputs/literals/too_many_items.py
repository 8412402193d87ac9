# displays with more items than an instruction can count
x = [⟦0,⟧20000⟦1,⟧2000]
for n in [300, 66000]:
    for a, b in ['[]', '()', '{}']:
        for item in ['1,', 'x:1,', '*x,', '**y,', 'f"{x}",']:
            try: exec('if 0: z = ' + a + item * n + b)
            except Exception as e: print(n, a, item, repr(e)[:80])
