"""Runs programs under CPython and tells what each printed, gave and raised.

Reads a JSON list of sources from stdin, the text of the context first, and writes a JSON list of
[printed, repr of the last expression or null, [exception, message] or null].
"""

import ast
import contextlib
import io
import json
import sys
import types
import warnings


def ask(prompt, model=None):
    return "echo: " + prompt[:40]


# What newer versions of CPython say in place of older ones; Monty says the newest.
NEWER = [
    ("float division by zero", "division by zero"),
    ("float modulo by zero", "division by zero"),
    ("integer division or modulo by zero", "division by zero"),
    ("integer modulo by zero", "division by zero"),
]


def newest(text):
    for older, newer in NEWER:
        text = text and text.replace(older, newer)
    return text


def run(context, source):
    module = types.ModuleType("__main__")
    names = module.__dict__
    names["context"] = context
    names["llm_query"] = ask
    names["llm_query_batched"] = lambda prompts, model=None: [ask(prompt) for prompt in prompts]
    sys.modules["__main__"] = module
    printed, value, error = io.StringIO(), None, None
    try:
        tree = ast.parse(source)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, "<program>", "exec"), names)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), "<program>", "eval"), names)
                value = None if value is None else repr(value)
    except BaseException as caught:
        # An outcome has the key itself.
        bare = isinstance(caught, KeyError) and len(caught.args) == 1
        error = [type(caught).__name__, str(caught.args[0] if bare else caught)]
    if error is not None:
        error = [error[0], newest(error[1])]
    return [newest(printed.getvalue()), newest(value), error]


def main():
    warnings.simplefilter("ignore")
    own = sys.modules["__main__"]
    context, *sources = json.load(sys.stdin)
    results = [run(context, source) for source in sources]
    sys.modules["__main__"] = own
    json.dump(results, sys.stdout)


main()
