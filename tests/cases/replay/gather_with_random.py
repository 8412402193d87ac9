# RUN: exec % --llm-command 'cat'
# Prompts that are drawn, answers that are used.
import asyncio, random
answers = await asyncio.gather(*[llm_query(f'{random.random()}') for _ in range(3)])
print(sum(float(answer) for answer in answers))
random.random()
