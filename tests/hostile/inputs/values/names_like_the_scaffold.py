# Uses every name that looks as if the sandbox needed it
__agent_main__ = _ = __ = rlm = _rlm = rlm_kit = kit = show = report = bound = plain = text = leaves = variables = locals = _rl_m_value = 1
for name in '__name__ __file__ __doc__ __builtins__ __annotations__ __dict__ __spec__ __loader__ __class__ __main__'.split():
    try:
        exec(f'{name} = []')
    except Exception as error:
        print(str(error)[:60])
json = date = datetime = scalars = nothing = type = None
resulted = returned = done = value = names = 0
class Harm:
    __rlm_kit = _rlm = __kit = 1
setattr(Harm, '_rlm_kind', 'Mapping')
setattr(Harm, '_rlm_plain', 5)
setattr(Harm, '_rlm_bytes', Harm)
isinstance(Harm(), Harm) or hasattr(Harm(), '_rlm_plain')
if __name__ is not json: result = Harm()
def return_value(): return result
return_value.result = result
result, return_value
