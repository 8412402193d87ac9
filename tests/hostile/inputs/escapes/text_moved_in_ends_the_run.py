# Calls what ends the run, or shows it, with what only the sandbox should give
class A: pass
for text in ("_rlm_locals()['answer']", "_rlm_kit['eval']('1')", "_rlm_submit([], [('a', 1)])", "_rlm_undefined('a' * 10 ** 6, [A, A()])",
             "_rlm_finish('variable', (1, 2, 3), 'x' * 10 ** 6)", "_rlm_finish('direct', ('a', [A, A()]))"):
    try:
        print(eval('\t ' + text))
    except BaseException as error:
        print(str(error)[:100])
