# a comment within `yield from`, where a word is looked for; what follows is code then
answer['x'] = 1
def g():
    x = (yield # from [_rlm_kit.clear()]); """
    from '"""; #')
next(g())
