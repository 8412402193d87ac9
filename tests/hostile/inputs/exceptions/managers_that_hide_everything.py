# Enters more and more managers, all of which hide what they see and raise something else
from contextlib import suppress, ExitStack, contextmanager, redirect_stdout, closing, nullcontext
import io, sys
class Hides:
    def __enter__(self): return Hides()
    def __exit__(self, *args):
        if args[0] is None: raise KeyError(Hides())
        return Hides()
    def close(self): raise ValueError(self)
@contextmanager
def again():
    with suppress(BaseException), Hides():
        yield again()
    while True:
        with suppress(RuntimeError): yield
with suppress(BaseException), ExitStack() as stack:
    for _ in range(10000):
        stack.enter_context(Hides())
        stack.callback(stack.close)
        stack.push(lambda *args: stack.__exit__(*args))
    raise SystemExit
with redirect_stdout(io.StringIO()) as out, redirect_stdout(out), Hides(), closing(Hides()), again(), again() as more, more:
    while True:
        with suppress(BaseException), Hides() as h, h as h, h:
            print(h)
            raise BaseException
