# thousands of texts that are one: plain, raw, formatted, with every escape; and of bytes
x = (⟦'a' "b" r'\c' f'{1}' '\x41\u0042\U0001F600\N{BULLET}\t\0'
⟧700)
y = ⟦b'\xff' rb'\y' ⟧500
z = '⟦\u202e\udc80⟧500'
[len(x), y[:9], z[:3]]
