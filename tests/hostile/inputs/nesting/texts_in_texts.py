# formatted texts in formatted texts, and formats within formats
x = 3
print(f"{f'{f"{f'{f"{f'{x}'}"}'}"}'}")
y = ⟦f'{⟧98 x⟦}'⟧98
z = ⟦f'{x=:{⟧30 x⟦}}'⟧30
