# texts that stop in the midst of everything, or end what is around them
for t in ['"', "'" * 3, 'f"{', 'f"{x!', 'f"{x:', '(', ')', ')]}', '1)', '");print(1);("', ')+_rlm_kit["eval"]("1"', '\\', 'x\\', 'if 1:', 'def f(', 'class', '@', 'x = ', 'lambda', 'for', 'match x:', 'case 1:', '1 if', 'yield', '*', '**x', '\t\n \n\tx', ' x\n  y\n z', '# \\', '"""\\', 'r"\\"', 'b"é"', '0x', '1__0', '1e', '0777', '\u00a0', '\u3000x', '\x1a', '\x7f', '$', '?', '`', '!', 'print 1', 'exec "1"', '<>', '1 <> 2', 'from __future__ import barry_as_FLUFL', '...' * 9]:
    for f in [lambda t: eval(t), lambda t: exec(t), lambda t: exec(t * 500), lambda t: exec(f'x = {t}\n' * 3)]:
        try: f(t)
        except Exception as e: len(repr(e))
