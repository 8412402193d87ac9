# FAIL 3: exec % --limit open-calls=3 --llm-command 'cat'
# More calls at once than are allowed.
import asyncio
await asyncio.gather(*[llm_query(str(n)) for n in range(9)])
