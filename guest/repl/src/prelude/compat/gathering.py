# `asyncio.gather` that may give exceptions as results; see `compat/calls.rs`.
def _rlm_load(Exception):
    import asyncio
    async def kept(awaitable):
        try:
            return await awaitable
        except Exception as error:
            return error
    def gather(*awaitables, return_exceptions=False):
        if return_exceptions:
            awaitables = [kept(each) for each in awaitables]
        return asyncio.gather(*awaitables)
    return gather
_rlm_gather = _rlm_load(Exception)
