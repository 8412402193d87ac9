# what is awaited is looked for in all that is gathered, again for each gathering around it
import asyncio
a = later(1)
await ⟦asyncio.gather(⟧95*[⟦a,⟧20000 a]⟦)⟧95
