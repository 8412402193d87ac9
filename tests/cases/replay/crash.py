# FAIL 3: exec % --tool 'echo=cat'
# A crash of the interpreter is an outcome, too.
class A: pass
print('before')
echo([A, A()])
