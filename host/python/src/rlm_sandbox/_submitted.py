"""Text that a script submits where dspy wants another value.

dspy reads it with ``json_repair`` and ``ast.literal_eval``. Both take a time that grows faster than the text, for which
nothing ends them, and raise ``RecursionError`` or ``MemoryError`` where it nests deeply, which ends the run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

#: Characters up to which text cannot nest too deeply, nor take long.
_SHORT = 50
#: Levels up to which values nest that can be read at any place of a program.
_DEPTH = 100
#: Seconds that starting another process and reading the text there may take.
_DEADLINE = 5
#: Reads text as dspy does, in a process of its own. Fails if that takes more than a second of processor time.
_CHECK = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
import ast, json_repair, time
text = sys.stdin.buffer.read().decode("utf-8", "surrogatepass")
since = time.process_time()
sys.setrecursionlimit(400)
try:
    if json_repair.loads(text) == "":
        ast.literal_eval(text)
except (SyntaxError, ValueError):
    pass
sys.exit(time.process_time() - since > 1)
"""


def takes_long(text: str) -> bool:
    """Whether dspy takes long to read this text as another value, or cannot read it to its end."""
    if len(text) <= _SHORT:
        return False
    try:
        return _nests(json.loads(text))
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
