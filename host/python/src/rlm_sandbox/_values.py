"""Python values as JSON with tags for what JSON lacks, as ``{"$tuple": [1, 2]}``."""

from __future__ import annotations

import base64
import datetime
import math
import operator
from collections.abc import Iterable, Mapping
from typing import Any

_LARGEST = 2**63
#: Keys of one set or dictionary that may have the hash of another one.
_COLLISIONS = 100
#: Keys that are so few that their places do not matter.
_FEW_KEYS = 256
#: Taken places that CPython may look at for each key in all tables together, and for the keys of very large tables
#: together. Numbers in a row take none, chance one or two for each key, and multiples of large powers of two some fifty.
_PROBES = 100
_ALL_PROBES = 5_000_000


class Opaque(str):
    """The repr of a value that cannot leave the sandbox: a function, an instance, or what is too large."""


def whole(text: str) -> str:
    """The text with a question mark for each half of a surrogate pair, as models write them when they are cut off."""
    return text.encode(errors="replace").decode()


def encode(value: Any) -> Any:
    """Gives the JSON of a value.

    Raises:
        TypeError: If it has none.
    """
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value) if -_LARGEST <= value < _LARGEST else {"$int": str(int(value))}
    if isinstance(value, float):
        if math.isfinite(value):
            return float(value)
        return {"$float": "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"}
    if isinstance(value, Mapping):
        keys = list(value)
        if all(isinstance(key, str) for key in keys) and not (len(keys) == 1 and keys[0].startswith("$")):
            return {str.__str__(key): encode(item) for key, item in value.items()}
        return {"$dict": [[encode(key), encode(item)] for key, item in value.items()]}
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, tuple):
        return {"$tuple": [encode(item) for item in value]}
    if isinstance(value, frozenset):
        return {"$frozenset": [encode(item) for item in value]}
    if isinstance(value, set):
        return {"$set": [encode(item) for item in value]}
    if isinstance(value, (bytes, bytearray)):
        return {"$bytes": base64.b64encode(value).decode()}
    if isinstance(value, datetime.datetime):
        return {"$datetime": value.isoformat()}
    if isinstance(value, datetime.date):
        return {"$date": value.isoformat()}
    raise TypeError(
        f"a {type(value).__name__} cannot enter the sandbox; give numbers, text, bytes, dates, lists, tuples, sets "
        "or dictionaries"
    )


def decode(value: Any) -> Any:
    """Gives the value of JSON that came out of the sandbox.

    Raises:
        ValueError: If a set or dictionary has very many keys of one hash, or others with which building it would
            take this process a time that grows with the square of their number.
    """
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((tag, inner),) = value.items()
        read = _READERS.get(tag)
        if read is not None:
            return read(inner)
    return {key: decode(item) for key, item in value.items()}


def decoded(value: Any, shown: str) -> Any:
    """Gives the value of JSON that came out of the sandbox, or its repr where this process cannot build it."""
    try:
        return decode(value)
    except (ArithmeticError, RecursionError, TypeError, ValueError):
        return Opaque(shown)


def _int(digits: str) -> int | Opaque:
    try:
        return int(digits)
    except ValueError:
        # Python reads no more than some thousand digits.
        return Opaque(digits)


def _dict(pairs: list[list[Any]]) -> dict[Any, Any]:
    keys = _keys((key for key, _ in pairs), in_a_row=0)
    return {key: decode(item) for key, (_, item) in zip(keys, pairs, strict=True)}


def _keys(items: Iterable[Any], in_a_row: int = 9) -> list[Any]:
    """The keys of a set or dictionary. A script knows the hashes of numbers and tuples, which are the same in each process."""
    keys = [_hashable(decode(item)) for item in items]
    hashes = [hash(key) for key in keys]
    # Sorting them takes no table.
    ordered = sorted(hashes)
    if sum(map(operator.eq, ordered, ordered[1:])) > _COLLISIONS:
        raise ValueError(f"a set or dictionary has more than {_COLLISIONS} keys whose hash is that of another one")
    if _are_slow(hashes, in_a_row):
        raise ValueError("the keys of a set or dictionary have hashes with which building it takes very long")
    return keys


def _are_slow(hashes: list[int], in_a_row: int) -> bool:
    """Whether a table of these hashes is slow to build, because most places that CPython looks at for a key are taken.

    Numbers can be chosen so that each looks at thousands, with hashes that all differ. The places are those of
    ``Objects/dictobject.c``; a set (``Objects/setobject.c``) looks at some more in a row each time. Tables grow, and
    copies have other sizes, so all sizes count that a table of so many keys can have.
    """
    count = len(hashes)
    if count <= _FEW_KEYS:
        return False
    left = min(_PROBES * count, max(_ALL_PROBES, 8 * count))
    size = _FEW_KEYS
    while size <= 8 * count:
        mask = size - 1
        taken = bytearray(size + in_a_row)
        for value in hashes[: size * 2 // 3]:
            rest = value & 0xFFFF_FFFF_FFFF_FFFF
            place = rest & mask
            while taken[place]:
                left -= 1
                if left < 0:
                    return True
                if in_a_row and place + in_a_row <= mask:
                    free = taken.find(0, place, place + in_a_row + 1)
                    if free >= 0:
                        place = free
                        break
                rest >>= 5
                place = (place * 5 + rest + 1) & mask
            taken[place] = 1
        size *= 2
    return False


def _hashable(value: Any) -> Any:
    return frozenset(value) if isinstance(value, set) else value


_READERS: dict[str, Any] = {
    "$int": _int,
    "$float": float,
    "$bytes": base64.b64decode,
    "$tuple": lambda items: tuple(decode(item) for item in items),
    "$set": lambda items: set(_keys(items)),
    "$frozenset": lambda items: frozenset(_keys(items)),
    "$date": datetime.date.fromisoformat,
    "$datetime": datetime.datetime.fromisoformat,
    "$dict": _dict,
    "$repr": Opaque,
}
