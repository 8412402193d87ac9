# RUN: exec % --input 'context={"k": [1, 2]}' --input 'n=3'
#
# Without files `context` is the input of that name.
print(context)
n + 1
