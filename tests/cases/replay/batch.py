# RUN: exec % --llm-command 'tr a-z A-Z'
# A batch of prompts is one call.
answers = llm_query_batched([f'prompt {n}' for n in range(10)])
print(len(answers), answers[3])
answers[-1] * 2
