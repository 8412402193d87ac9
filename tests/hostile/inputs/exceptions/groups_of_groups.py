# Groups of exceptions in groups, taken apart by handlers that Python has for them
import asyncio
try:
    group = ExceptionGroup('x', [ValueError('1')])
    for _ in range(5000):
        group = BaseExceptionGroup('y' * 1000, [group, group])
    raise group
except (NameError, ValueError, TypeError) as error:
    async def fails(n):
        if n: await asyncio.gather(*[fails(n - 1) for _ in range(6)])
        raise ValueError(f'{n}' * 1000)
    async def all_fail():
        return await asyncio.gather(*[fails(4) for _ in range(50)], return_exceptions=True)
    errors = await all_fail()
    for each in errors:
        each.__context__, each.__cause__ = error, each
    raise TypeError(errors) from errors[0]
