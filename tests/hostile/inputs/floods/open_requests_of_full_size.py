# As many requests of full size as may be open, before anybody waits for one
import asyncio
text = 'x' * 8380000
await asyncio.gather(*[llm_query(text) for _ in range(50)], *[soon(text) for _ in range(200)])
