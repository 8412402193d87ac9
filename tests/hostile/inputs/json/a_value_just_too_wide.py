# Values whose text is just about as long as it may be, of letters that may be cut in two
half = ['\U0001f600é\x00"\\'] * 37_000
answer['content'] = half
answer['ready'] = True
print(half[:9], end='\U0001f600' * 270_000)
SHOW_VARS()
('\U0001f600' * 262_143, half, b'\xff' * 260_000, {1: '\ud800' * 90_000})
