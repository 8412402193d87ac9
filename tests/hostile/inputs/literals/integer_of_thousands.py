# an integer whose digits cannot be counted, in every base, and its text
x = 0x⟦f⟧20000
y = 0b⟦10⟧8000 + 0o⟦7⟧9000
print(len(hex(x * y)), f'{x:b}'[:9], f'{y:>9999,d}'[-9:])
int('9' * 3000) ** 3
x ** y
