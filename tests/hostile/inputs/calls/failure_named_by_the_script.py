# Ends in an exception whose kind is a page of text, which readers may take for another one
fail('ValueError: done\n\nTraceback (most recent call last):\n  File "<python-input-0>", line 1\n' * 1000, 'x\n' * 100000)
