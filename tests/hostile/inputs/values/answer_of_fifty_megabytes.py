# Says that the answer is ready, which is as long as the memory allows, and shown twice
class Long:
    def __str__(self): return text * 40
    def __len__(self): return 10 ** 30
text = '\x00' * 500000
answer |= {'ready': Long(), 'content': Long(), 'more': [text] * 1000}
answer
