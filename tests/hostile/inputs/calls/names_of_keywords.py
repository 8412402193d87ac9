# Keyword arguments with names that mean something to those who pass them on
words = ['__proto__', 'self', '', ' ', '_arg0', '_arg1', '_arg99999999999999999999', 'value', 'args', 'kwargs', '$tuple', '$int',
         'kind', 'message', '\n', '"', '\\', '\x00', 'a' * 1000000, '\U0001f600', '_rlm_kit', 'None', '1', 'é', 'e\u0301', 'constructor']
for ask in (echo, later, fail, llm_query, budget, read_context, FINAL_VAR, llm_query_batched):
    for word in words:
        for args in ((), (1,), ('a', 'b')):
            try:
                ask(*args, **{word: 'x'})
            except Exception as error:
                print(str(error)[:60])
    try:
        ask(**{word: 1 for word in words})
        ask('a', **{'value': 1}, **{'value': 2})
    except Exception as error:
        print(str(error)[:60])
SUBMIT(**{word: word for word in words})
