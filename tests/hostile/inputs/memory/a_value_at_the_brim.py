# Fills the memory to the last piece and then has the value shown, copied and written as JSON
value = []
try:
    while True:
        value.append(['\x00é"' * 3000, b'\xff' * 2000, {len(value): 1.5}])
except BaseException as e:
    value.pop()
print(len(value))
value
