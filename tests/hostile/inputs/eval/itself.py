# text that evaluates itself
text = 'exec(text)'
exec(text)
