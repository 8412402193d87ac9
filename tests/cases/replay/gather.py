# RUN: exec % --llm-command 'read q; sleep 0.0$q; echo $q'
# A gather whose answers come in another order than they were asked.
import asyncio
answers = await asyncio.gather(*[llm_query(f'{n}\n') for n in (3, 1, 2, 0)])
answers
