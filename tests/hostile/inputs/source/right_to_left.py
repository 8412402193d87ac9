# text that runs the other way, so that what is read is not what runs
x = 'user'
if x != 'user‮ ⁦# check⁩ ⁦':
    print('‫', x)  # ‮ } ⁦if x:⁩ ⁦ begin
מה = [⟦'‮⁦⁧⁨', ⟧900 1]
print(f'{מה[0]=}'), מה.אין
