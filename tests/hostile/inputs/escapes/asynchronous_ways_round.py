# Uses what Python has for asynchronous code, and groups of exceptions, in text and by hand
import asyncio
texts = ['async def f():\n yield 1\nasync for x in f(): pass', 'async with open("x") as y: pass', '[x async for x in y]', 'try: pass\nexcept* ValueError: pass', 'raise ExceptionGroup("x", [ValueError("")])', 'await asyncio.create_subprocess_shell("id")',
         'asyncio.get_event_loop().run_in_executor(None, print)', 'async def f(): await f.__await__()', 'soon(1).send(None)', 'soon(1).cr_frame', 'soon(1).close()', 'soon(1).throw(ValueError)', 'x = soon(1).__await__()\nnext(x)', 'asyncio.Queue()', 'asyncio.run(1)',
         'asyncio.run(asyncio)', 'asyncio.gather(asyncio.gather)', 'asyncio.sleep("x")', 'asyncio.sleep(asyncio)', 'asyncio.gather(*range(10))', 'asyncio.run(soon(1), debug=True)',
         'async def f(): exec("await f()")\nasyncio.run(f())', 'def f(): await soon(1)', 'class A:\n async def __aenter__(s): return s\n async def __aexit__(s, *a): return 1\nasync def f():\n async with A(): 1/0\nasyncio.run(f())', 'async def f():\n return (x for x in [await soon(1)])\nasyncio.run(f())',
         'async def f(): return await asyncio.gather(f())\nasyncio.run(f())']
for text in texts:
    try:
        exec('import asyncio\n' + text)
        print('did', f'{text!r:.60}')
    except BaseException as error:
        print(f'{text!r:.40}', str(error)[:60])
