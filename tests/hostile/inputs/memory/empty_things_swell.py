# Arguments of nothing but empty lists and dicts, in calls that stay open together
x = [[[], {}]] * 700
for i in range(40):
    soon([x] * 900)
