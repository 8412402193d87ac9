# Binds the answer where Python deletes it again, when a handler is left
for answer in [{'ready': True, 'content': 1}]:
    try:
        raise ValueError(answer)
    except ValueError as answer:
        pass
