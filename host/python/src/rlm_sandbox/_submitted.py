"""Answers of a script for outputs that are no text in dspy.

dspy reads text with ``json_repair`` and ``ast.literal_eval``. Both take a time that grows faster than the text, for which
nothing ends them, and raise ``RecursionError`` or ``MemoryError`` where it nests deeply, which ends the run.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from ipaddress import IPv6Interface, IPv6Network
from math import isinf
from typing import Any
from uuid import UUID

import json_repair

from ._values import Decoder

#: Characters up to which text cannot nest too deeply, nor take long.
_SHORT = 50
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
#: Seconds of processor time to look at the values of an answer.
_LOOKED = 2.0
_SCIENTIFIC = re.compile(r"(?<![\w.])\s*[-+]?[\d_.]+[eE][-+]?(\d[\d_]{3,})\s*(?!\w)")
#: Seconds that starting another process and reading the text there may take.
_DEADLINE = 5
#: Bytes that reading text may take, there and in the program.
_MEMORY = 128 << 20
#: Reads text as dspy does, in a process of its own. Fails if that takes more than a second of processor time, or than
#: the memory.
_CHECK = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
import ast, json_repair, time
text = sys.stdin.buffer.read().decode("utf-8", "surrogatepass")
from rlm_sandbox._submitted import hold_memory, is_costly
hold_memory()
since = time.process_time()
sys.setrecursionlimit(400)
try:
    value = json_repair.loads(text)
    if value == "":
        value = ast.literal_eval(text)
except (SyntaxError, ValueError):
    value = None
# A number such as 0xfff can be read, and is too long to be shown.
repr(value)
sys.exit(time.process_time() - since > 1 or is_costly(value))
"""


def takes_long(text: str) -> bool:
    """Returns whether dspy takes long, or much memory, to read this text as another value, or cannot read it at all."""
    if len(text) <= _SHORT:
        return _zeros(text) > _ZEROS or not _is_read(text)
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


def hold_memory() -> None:
    """Bounds what this process takes from here on, where the system can."""
    if sys.platform == "linux":
        import resource

        with open("/proc/self/statm") as sizes:
            taken = int(sizes.read().split()[5]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_DATA, (taken + _MEMORY, taken + _MEMORY))


def _is_read(text: str) -> bool:
    """Returns whether `json_repair` reads short text. Some text makes it raise what dspy does not expect."""
    try:
        json_repair.loads(text)
    except ValueError:
        pass
    except Exception:
        return False
    return True


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


def is_costly(value: Any) -> bool:
    """Returns whether a value takes dspy long to check against the type of its field, or much memory.

    Types such as ``set[int]`` and ``dict[UUID, str]`` make sets and dictionaries of items, also of those that are text, and
    a script can choose items of one hash. An item that does not fit is an error that takes a thousand bytes.
    """
    decoder = Decoder()
    left, zeros, todo = _VALUES, _ZEROS, [value]
    since = time.thread_time()
    while todo:
        if time.thread_time() - since > _LOOKED:
            return True
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
    """Whether the value of JSON nests deeply."""
    level = [value]
    for _ in range(_DEPTH):
        level = [item for one in level if isinstance(one, (list, dict)) for item in _items(one)]
        if not level:
            return False
    return True


def _items(value: list[Any] | dict[str, Any]) -> list[Any]:
    return value if isinstance(value, list) else list(value.values())
