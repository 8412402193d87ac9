"""Python values as JSON with tags for what JSON lacks, as ``{"$tuple": [1, 2]}``."""

from __future__ import annotations

import base64
import datetime
import math
from collections.abc import Mapping
from typing import Any

_LARGEST = 2**63


class Opaque(str):
    """The repr of a value that cannot leave the sandbox: a function, an instance, or what is too large."""


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
    """Gives the value of JSON that came out of the sandbox."""
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


def _int(digits: str) -> int | Opaque:
    try:
        return int(digits)
    except ValueError:
        # Python reads no more than some thousand digits.
        return Opaque(digits)


def _dict(pairs: list[list[Any]]) -> dict[Any, Any]:
    return {_hashable(decode(key)): decode(item) for key, item in pairs}


def _hashable(value: Any) -> Any:
    return frozenset(value) if isinstance(value, set) else value


_READERS: dict[str, Any] = {
    "$int": _int,
    "$float": float,
    "$bytes": base64.b64decode,
    "$tuple": lambda items: tuple(decode(item) for item in items),
    "$set": lambda items: {_hashable(decode(item)) for item in items},
    "$frozenset": lambda items: frozenset(_hashable(decode(item)) for item in items),
    "$date": datetime.date.fromisoformat,
    "$datetime": datetime.datetime.fromisoformat,
    "$dict": _dict,
    "$repr": Opaque,
}
