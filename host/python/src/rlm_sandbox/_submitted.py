"""What a script submits where dspy wants another value than text.

dspy reads text with ``json_repair`` and ``ast.literal_eval``. Both take a time that grows faster than the text, for which
nothing ends them, and raise ``RecursionError`` or ``MemoryError`` where it nests deeply, which ends the run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from ._values import Decoder

#: Characters up to which text cannot nest too deeply, nor take long.
_SHORT = 50
#: Levels up to which values nest that can be read at any place of a program.
_DEPTH = 100
#: Values of an answer that is no text. A list of more is better given as text.
_VALUES = 100_000
#: Characters of a number in text, and items of a tuple, that matter here.
_LONGEST_NUMBER = 1000
_LONGEST_TUPLE = 16
#: Seconds that starting another process and reading the text there may take.
_DEADLINE = 5
#: Reads text as dspy does, in a process of its own. Fails if that takes more than a second of processor time.
_CHECK = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
import ast, json_repair, time
text = sys.stdin.buffer.read().decode("utf-8", "surrogatepass")
from rlm_sandbox._submitted import is_costly
since = time.process_time()
sys.setrecursionlimit(400)
try:
    value = json_repair.loads(text)
    if value == "":
        value = ast.literal_eval(text)
except (SyntaxError, ValueError):
    value = None
sys.exit(time.process_time() - since > 1 or is_costly(value))
"""


def takes_long(text: str) -> bool:
    """Whether dspy takes long to read this text as another value, or cannot read it to its end."""
    if len(text) <= _SHORT:
        return False
    try:
        value = json.loads(text)
        return _nests(value) or is_costly(value)
    except RecursionError:
        return True
    except ValueError:
        pass
    command = [sys.executable, "-I", "-c", _CHECK, json.dumps(sys.path)]
    try:
        given = text.encode("utf-8", "surrogatepass")
        return subprocess.run(command, input=given, capture_output=True, timeout=_DEADLINE).returncode != 0
    except (OSError, subprocess.SubprocessError):
        return True


def is_costly(value: Any) -> bool:
    """Whether a value takes dspy long to check against the type of its field, or much memory.

    Types such as ``set[int]`` and ``dict[int, str]`` make sets and dictionaries of numbers, also of those that are text,
    and a script can choose numbers of one hash. An item that does not fit is an error that takes a thousand bytes.
    """
    decoder = Decoder()
    left, todo = _VALUES, [value]
    while todo:
        one = todo.pop()
        if isinstance(one, Mapping):
            keys, items = list(one), list(one.values())
        elif isinstance(one, (list, tuple, set, frozenset)):
            keys = items = list(one)
        else:
            continue
        left -= len(items)
        if left < 0:
            return True
        numbers = {repr(number): number for number in map(_number, keys) if number is not None}
        try:
            for in_a_row in (0, 9):
                decoder.check(list(numbers.values()), in_a_row)
        except ValueError:
            return True
        todo.extend(items)
    return False


def _number(item: Any, levels: int = 3) -> Any:
    """The number that a type may make of an item, or a tuple of such; nothing if it makes none."""
    if isinstance(item, str):
        if len(item) > _LONGEST_NUMBER:
            return None
        for read in (int, float):
            try:
                return _number(read(item))
            except ValueError:
                pass
        return None
    if isinstance(item, (list, tuple)):
        numbers = tuple(_number(one, levels - 1) for one in item) if levels and len(item) <= _LONGEST_TUPLE else (None,)
        return None if None in numbers else numbers
    if isinstance(item, float) and item.is_integer():
        return int(item)
    return item if isinstance(item, (int, float)) else None


def _nests(value: Any) -> bool:
    """Whether the value of JSON nests deeply."""
    level = [value]
    for _ in range(_DEPTH):
        level = [item for one in level if isinstance(one, (list, dict)) for item in _items(one)]
        if not level:
            return False
    return True


def _items(value: list[Any] | dict[str, Any]) -> list[Any]:
    return value if isinstance(value, list) else list(value.values())
