# Short prompts to a model with a long name, which is sent with each of them
llm_query_batched([''] * 49, model='m' * 1500000)
