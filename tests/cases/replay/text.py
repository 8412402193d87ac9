# RUN: exec %
# Text of all kinds.
text = 'ÄÖü ß ﬀ 😀 e\u0301 \u0130'
print(text.upper(), text.lower(), text.casefold(), len(text))
print([c for c in text if c.isalpha()], text[::-1].split())
text.encode().hex()
