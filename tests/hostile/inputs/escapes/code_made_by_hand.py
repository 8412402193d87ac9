# Makes functions and code out of parts, and changes those that are there
import types, inspect, functools
def f(a, b=[]): return a
for text in ['f.__code__ = print.__code__', 'f.__code__.replace(co_code=b"d" * 1000)', 'types.CodeType(0, 0, 0, 0, 0, 0, b"", (), (), (), "", "", "", 0, b"", b"")', 'types.FunctionType(compile("1", "x", "eval"), {})',
             'compile("1", "", "exec", flags=0x8000)', 'f.__defaults__ = (1,) * 100000', 'f.__kwdefaults__ = {"z": 1}', 'f.__globals__["print"] = 5', 'f.__closure__[0].cell_contents', 'type(f)(f, f)', 'type(f)()',
             'f.__get__(1)()', 'f.__call__ = print\nf(1)', 'f.__class__ = int', 'f.__dict__ = f', 'f.__name__ = "x" * 10 ** 6\nprint(f)', 'types.new_class("X")', 'types.prepare_class', 'types.coroutine(f)', 'type(f(1)).__call__ = f',
             'functools.partial(f).func = functools.partial', 'functools.partial.__new__', 'p = functools.partial(f)\np.__setstate__((p, (), {}, {}))\np()', 'functools.reduce(f, [f] * 10)(1)', 'inspect.currentframe()', 'inspect.getsource(f)',
             'type(len)(1)', 'type(echo)("os")', 'types.FunctionType("echo")', 'types.BuiltinFunctionType("eval")', 'types.SimpleNamespace(**{"_names": 5, "_busy": f})', 'types.MappingProxyType(f)', 'types.MethodType(f, 1)(2)',
             'x = types.SimpleNamespace()\nx.x = x\nx._names = ["x"]\nprint(x)', 'types.ModuleType("os")', 'f.f = f\nf.__wrapped__ = f\nprint(f.__doc__)', 'functools.update_wrapper(f, f)\nprint(f.__doc__)']:
    try:
        exec(text)
        print('did', text[:60])
    except BaseException as error:
        print(f'{text[:40]!r}', str(error)[:60])
