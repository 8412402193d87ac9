# values of the whole script, where nobody knows which one counts
x = """
return 1
"""
for y in [1]:
    if not y: return (
        x # )
    )
    return_value = result = y
    if y > 1: return
else: result = 2
if result: return f"""{
    (z := [
return_value])}
return""" if x else [x
]
lambda: return_value; result
