# text in text in text: each level doubles what has to be escaped
text = '1'
for n in range(17):
    text = f'eval({text!r})'
print(len(text))
exec(f'x = {text}; y = {text}')
