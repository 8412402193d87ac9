# Batches of prompts far beyond what may be asked, empty ones among them
for count in (51, 5000, 800000):
    for prompt in ('', 'x' * 10):
        try:
            llm_query_batched([prompt] * count)
        except Exception as error:
            print(str(error)[:100])
        try:
            rlm_query_batched((prompt,) * count, model='')
        except Exception as error:
            print(str(error)[:100])
