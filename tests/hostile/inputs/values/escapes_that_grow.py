# Is a million letters that take six times as many to be written, in the midst of a letter
text = '\x00\x7f\u200b"\'\\' * 160000
result = [text[:174761], '\U0010ffff' * 262143 + 'é', b'\x00\xff' * 131071, text]
