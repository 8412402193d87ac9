"""Answers of a script for outputs that are no text in dspy.

dspy reads text with ``json_repair`` and ``ast.literal_eval``, and checks values with pydantic. Both take a time that grows
faster than an answer, for which nothing ends them, and raise ``RecursionError`` or ``MemoryError`` where it nests deeply,
which ends the run. So a process of its own reads an answer first, with limits that the system enforces.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from ipaddress import IPv6Interface, IPv6Network
from math import isinf
from typing import Any
from uuid import UUID

import json_repair

from ._values import Decoder

#: Text that dspy reads as a number or constant at once, without another process.
_PLAIN = re.compile(r"-?\d{1,15}(\.\d{1,15})?|[A-Za-z]{1,10}")
#: Levels up to which values nest that can be read at any place of a program.
_DEPTH = 100
#: Values of an answer for a field that is no text.
_VALUES = 60_000
#: Types that have items.
_HOLDERS = (Mapping, list, tuple, set, frozenset)
#: Characters of a number in text, and items of a tuple, that matter here.
_LONGEST_NUMBER = 1000
_LONGEST_UUID = 100
_LONGEST_TUPLE = 16
#: Seconds to write out numbers such as 1e999999.
_ZEROS = 1.0
_SCIENTIFIC = re.compile(r"(?<![\w.])\s*[-+]?[\d_.]+[eE][-+]?(\d[\d_]{3,})\s*(?!\w)")
#: Characters of text in which such numbers count at any place.
_SHORT = 50
#: Seconds of processor time that reading the text of one answer may take.
_READING = 1
#: Seconds of processor time for all answers of one call, and on the clock, with the start of the process.
_PROCESSOR = 3
_DEADLINE = 10
#: Bytes that the answers of one call may take, there and in the program.
_MEMORY = 128 << 20
#: Frames that reading may take: those that are left at any place of a program.
_FRAMES = 400
#: Program of the process.
_READER = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from rlm_sandbox._submitted import main
main()
"""


def costly(answers: Sequence[Any]) -> int | None:
    """Gives the place of the first answer that dspy takes long, or much memory, to read and check, or cannot read at all.

    Args:
        answers: JSON values for fields that are no text.
    """
    todo = [place for place, answer in enumerate(answers) if not _is_plain(answer)]
    if not todo:
        return None
    reached = 0
    command = [sys.executable, "-I", "-c", _READER, json.dumps(sys.path)]
    try:
        given = json.dumps([answers[place] for place in todo]).encode()
        done = subprocess.run(command, input=given, capture_output=True, timeout=_DEADLINE)
        if done.returncode == 0:
            return None
        reached = done.stdout.count(b"\n")
    except (OSError, RecursionError, subprocess.SubprocessError):
        pass
    return todo[min(reached, len(todo) - 1)]


def main() -> None:
    """Reads the answers on standard input, and writes a line for each that costs little. Exits with 1 at another one."""
    given = sys.stdin.buffer.read()
    _hold()
    sys.setrecursionlimit(_FRAMES)
    for answer in json.loads(given):
        value = _read(answer) if isinstance(answer, str) else answer
        if _nests(value) or _is_costly(value):
            sys.exit(1)
        print(flush=True)


def _hold() -> None:
    """Bounds what this process takes from here on, where the system can."""
    if sys.platform == "linux":
        import resource

        with open("/proc/self/statm") as sizes:
            taken = int(sizes.read().split()[5]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_DATA, (taken + _MEMORY, taken + _MEMORY))
    if sys.platform != "win32":
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        end = int(used.ru_utime + used.ru_stime) + _PROCESSOR
        resource.setrlimit(resource.RLIMIT_CPU, (end, end))


def _is_plain(answer: Any) -> bool:
    if isinstance(answer, str):
        return _PLAIN.fullmatch(answer) is not None
    return answer is None or isinstance(answer, (bool, int, float))


def _read(text: str) -> Any:
    """Gives the value that dspy reads from text.

    Raises:
        SystemExit: If that takes long.
    """
    if len(text) <= _SHORT and _zeros(text) > _ZEROS:
        sys.exit(1)
    since = time.process_time()
    value = json_repair.loads(text)
    try:
        if value == "":
            value = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        value = None
    # A number such as 0xfff can be read, and is too long to be shown.
    repr(value)
    if time.process_time() - since > _READING:
        sys.exit(1)
    return value


def values_of(answer: Any) -> int:
    """The values in an answer, in text at the most."""
    if isinstance(answer, str):
        return answer.count(",") + answer.count(":") + answer.count("[") + answer.count("{")
    count, todo = 0, [answer]
    while todo:
        one = todo.pop()
        items = list(one.values() if isinstance(one, Mapping) else one) if isinstance(one, _HOLDERS) else []
        count += len(items)
        todo.extend(items)
    return count


def _is_costly(value: Any) -> bool:
    """Returns whether a value takes dspy long to check against the type of its field, or much memory.

    Types such as ``set[int]`` and ``dict[UUID, str]`` make sets and dictionaries of items, also of those that are text, and
    a script can choose items of one hash. An item that does not fit is an error that takes a thousand bytes.
    """
    decoder = Decoder()
    left, zeros, todo = _VALUES, _ZEROS, [value]
    while todo:
        one = todo.pop()
        if isinstance(one, Mapping):
            keys, items = list(one), list(one.values())
        elif isinstance(one, (list, tuple, set, frozenset)):
            keys = items = list(one)
        else:
            keys, items = [one], []
        left -= len(items)
        zeros -= sum(map(_zeros, keys))
        if left < 0 or zeros < 0:
            return True
        if not items:
            continue
        distinct = list({repr(key): key for key in map(_key, keys) if key is not None}.values())
        try:
            for read in _TYPES:
                hashed = [_Hashed(found) for found in (_hash(key, read) for key in distinct) if found is not None]
                for in_a_row in (0, 9):
                    decoder.check(hashed, in_a_row)
        except ValueError:
            return True
        todo.extend(items)
    return False


def _key(item: Any, levels: int = 3) -> Any:
    """Returns an item as far as its hash can be chosen: text that may be a number, and tuples of such."""
    if isinstance(item, str):
        # Alone it has a hash of its own. In tuples it may be the same in all.
        is_number = len(item) <= _LONGEST_NUMBER
        return item[:_LONGEST_NUMBER] if is_number or levels < 3 else None
    if isinstance(item, (list, tuple)):
        if not levels or len(item) > _LONGEST_TUPLE:
            return None
        items = [_key(one, levels - 1) for one in item]
        return None if None in items else tuple(items)
    return item if isinstance(item, (int, float)) else None


class _Hashed:
    """A key of which the hash alone matters."""

    __slots__ = ("_hash",)

    def __init__(self, hashed: int) -> None:
        self._hash = hashed

    def __hash__(self) -> int:
        return self._hash


def _exact(item: Any) -> Any:
    """As ``int``, ``Decimal`` and ``Fraction`` read it, whose equal numbers have one hash."""
    if isinstance(item, int):
        return item
    if isinstance(item, str) and "/" in item:
        return Fraction(item)
    try:
        return int(item) if isinstance(item, str) else Decimal(str(item))
    except ValueError:
        return Decimal(item)


def _uuid(item: Any) -> Any:
    if not isinstance(item, str) or len(item) > _LONGEST_UUID:
        raise ValueError
    return UUID(item)


def _network(item: Any) -> Any:
    if not isinstance(item, (str, int)) or isinstance(item, str) and ":" not in item:
        raise ValueError
    return IPv6Network(item, strict=False)


def _interface(item: Any) -> Any:
    if not isinstance(item, (str, int)) or isinstance(item, str) and ":" not in item:
        raise ValueError
    return IPv6Interface(item)


def _complex(item: Any) -> Any:
    if not isinstance(item, str) or item.rstrip(" )")[-1:] not in ("j", "J"):
        raise ValueError
    return complex(item)


#: Numbers below it have hashes of their own.
_PRIME = sys.hash_info.modulus
#: Readers of text and numbers as types whose hashes are the same in each process, so that a script can aim at them.
_TYPES: tuple[Callable[[Any], Any], ...] = (_exact, float, _complex, _uuid, _network, _interface)


def _hash(item: Any, read: Callable[[Any], Any], levels: int = 3) -> int | None:
    """The hash of an item as a type reads it, or of a tuple of such and other text; nothing if it is not read so."""
    is_inside = levels < 3
    if isinstance(item, (list, tuple)):
        if not levels or len(item) > _LONGEST_TUPLE:
            return None
        hashes = [_hash(one, read, levels - 1) for one in item]
        return None if None in hashes else hash(tuple(hashes))
    if not isinstance(item, (str, int, float)):
        return None
    if isinstance(item, int) and -_PRIME < item < _PRIME:
        return item
    if not isinstance(item, str) or len(item) <= _LONGEST_NUMBER:
        for reader in (read, _exact) if is_inside else (read,):
            try:
                found = reader(item)
                # The infinite are equal, so they cost nothing.
                return None if isinstance(found, float) and isinf(found) else hash(found)
            except (TypeError, ValueError, ArithmeticError):
                pass
    return hash(item) if is_inside else None


def _zeros(item: Any) -> float:
    """Seconds that ``Fraction`` takes to write out the zeros of numbers in text."""
    if not isinstance(item, str) or len(item) > _LONGEST_NUMBER:
        return 0
    found = _SCIENTIFIC.finditer(item) if len(item) <= _SHORT else filter(None, [_SCIENTIFIC.fullmatch(item)])
    return float(sum(0.2 * (min(int(one[1].replace("_", "")[:12]), 10**9) / 1e6) ** 1.6 for one in found))


def _nests(value: Any) -> bool:
    """Returns whether a value nests deeply."""
    level = [value]
    for _ in range(_DEPTH):
        level = [item for one in level if isinstance(one, (list, dict)) for item in _items(one)]
        if not level:
            return False
    return True


def _items(value: list[Any] | dict[str, Any]) -> list[Any]:
    return value if isinstance(value, list) else list(value.values())
