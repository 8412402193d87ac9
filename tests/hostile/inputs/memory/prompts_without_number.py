# Batches of prompts: many empty ones, a few giant ones, and some that are no text
import asyncio
for batch in ([''] * 200_000, ['x' * 160_000] * 50, [None] * 50, [['x']] * 50, [b'x'] * 3, 'text', {'a': 1}, range(50), [('a', 'b')] * 9):
    try:
        print(len(llm_query_batched(batch)))
    except Exception as e:
        print(type(e).__name__, str(e)[:80])
    try:
        print(len(await asyncio.gather(*[rlm_query_batched(batch) for i in range(9)])))
    except Exception as e:
        print(type(e).__name__, str(e)[:80])
