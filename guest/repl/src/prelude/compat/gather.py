# `asyncio.gather` that gives exceptions as results; see `compat/calls.rs`.
def _rlm_load(Exception):
    import asyncio
    async def guarded(awaited):
        try:
            return await awaited
        except Exception as error:
            return error
    def gather(*awaited, return_exceptions=False):
        return asyncio.gather(*([guarded(one) for one in awaited] if return_exceptions else awaited))
    return gather
_rlm_gather = _rlm_load(Exception)
