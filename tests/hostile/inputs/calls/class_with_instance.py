# Hands over classes together with their instances, in every order and wrapping
from dataclasses import dataclass
from collections import namedtuple
class A: pass
@dataclass
class D:
    x: object
N = namedtuple('N', 'x')
error = ValueError('x')
for given in ([A, A()], [A(), A], {'a': A, 'b': A()}, (D, D(D)), [N, N(N)], [type(error), error], {A: 1}, [D(A), A, D]):
    for ask in (echo, later, llm_query, fail, budget, read_context):
        try:
            print(ask(given), ask(*[A, A()]))
        except Exception as error:
            print(str(error)[:60])
echo(A, A())
