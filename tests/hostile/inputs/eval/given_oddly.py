# calls of eval whose text is hard to see: in brackets, with a comment, by assignment, in a text
t = '1'
eval((t # , {}
 ), # )
 )
exec(s := 'x = 2'); eval(t, **{}); eval(t,); (eval)(t); exec('eval' '(t)')
print(f"{eval('1' '1')}{eval(f'{t}')}", [eval(u) for u in [t] if eval(u)], eval(eval("'t'")), [*map(lambda t: eval(t), sorted([t, s][:1], key=lambda x: eval(x)))])
print(f'{eval(t)=} {eval("t")=:>9}', (lambda *, t=eval(t): eval('t'))(), eval(t if eval(t) else t, *[{}], **{'locals': {}}))
eval(lambda: 1 if 0 else t)
