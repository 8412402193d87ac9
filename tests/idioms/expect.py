"""Runs programs under CPython and tells what each printed, gave and raised.

Reads JSON lists of sources from stdin, one a line, the text of the context first, and answers
each with a line, a JSON list of
[printed, repr of the last expression or null, [exception, message] or null].
"""

import ast
import contextlib
import io
import json
import os
import re
import sys
import types
import warnings


def ask(prompt, model=None):
    return "echo: " + prompt[:40]


# What newer versions of CPython say in place of older ones; Monty says the newest.
NEWER = [
    (r"float (floor )?division by zero", "division by zero"),
    (r"float modulo( by zero)?", "division by zero"),
    (r"float divmod\(\)", "division by zero"),
    (r"integer division or modulo by zero", "division by zero"),
    (r"integer modulo by zero", "division by zero"),
    (r"0\.0 cannot be raised to a negative power", "zero to a negative power"),
    (r"\b(max|min)\(\) arg is an empty sequence", r"\1() iterable argument is empty"),
    (r"(?:-?[\d.]+|'[^'\n]*'|None) is not in list", "list.index(x): x not in list"),
    (r"can only assign an iterable", "must assign iterable to extended slice"),
    (r"(argument of type '\w+' is not) iterable", r"\1 a container or iterable"),
    (r"complex division by zero", "division by zero"),
    (r"('\w+' object does not support the context manager protocol)(?! \(missed)", r"\1 (missed __exit__ method)"),
    (r"'(\w+)' is an invalid keyword argument for int\(\)", r"int() got an unexpected keyword argument '\1'"),
]


# As it is called since 3.13.
re.error.__name__ = re.error.__qualname__ = "PatternError"


def as_dict(pairs):
    """The text of an ordered dictionary as since 3.12."""
    try:
        return f"OrderedDict({dict(ast.literal_eval(pairs[1]))!r})"
    except (SyntaxError, ValueError):
        return pairs[0]


def newest(text):
    for older, newer in [*NEWER, (r"OrderedDict\((\[\(.*?\)\])\)", as_dict)]:
        text = text and re.sub(older, newer, text)
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
        if value is None:
            # A script without a value gives what it assigned to `result`.
            value = names.get("result")
        value = None if value is None else repr(value)
    except BaseException as caught:
        error = [type(caught).__name__, str(caught)]
    if error is not None:
        error = [error[0], newest(error[1])]
    return [newest(printed.getvalue()), newest(value), error]


def main():
    warnings.simplefilter("ignore")
    own = sys.modules["__main__"]
    # A program that calls `exit` closes `sys.stdin`.
    questions = os.fdopen(os.dup(sys.stdin.fileno()))
    for line in questions:
        context, *sources = json.loads(line)
        results = [run(context, source) for source in sources]
        sys.modules["__main__"] = own
        print(json.dumps(results), flush=True)


main()
