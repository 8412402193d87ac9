# patterns in patterns
x = 1
for _ in range(80): x = [x, {'k': x}]
match x:
    case ⟦[⟧80 y, *_⟦, {'k': _}]⟧80:
        print(y)
    case ⟦[*_, {'k': ⟧40 ⟦1 | ⟧3000 2⟦}]⟧40:
        print(2)
