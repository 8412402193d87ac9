"""Python values as JSON with tags for what JSON lacks, as ``{"$tuple": [1, 2]}``."""

from __future__ import annotations

import base64
import datetime
import math
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

_LARGEST = 2**63
#: Keys of one set or dictionary that may have the hash of another one.
_COLLISIONS = 100
#: Digits of an integer that is built; more take long.
_DIGITS = 100_000
#: Comparisons of items that building all sets and dictionaries of one value may take because keys have one hash.
_COMPARISONS = 1_000_000
#: Keys that are so few that their places do not matter.
_FEW_KEYS = 256
#: Taken places that CPython may look at for each key of a table. Numbers in a row take none, chance one or two for each
#: key, and multiples of large powers of two some fifty.
_PROBES = 100
#: Those for each key that are nothing unusual, and how many more all tables of an answer may take together.
_USUAL_PROBES = 8
_MORE_PROBES = 2_000_000


class Opaque(str):
    """The repr of a value that cannot leave the sandbox: a function, an instance, or what is too large.

    An argument of a tool runs no code of the script: an instance there is its class and its attributes, even if it has
    a ``__repr__``.

    Attributes:
        truncated: Whether it is only the beginning of the repr, which is longer than ``limits={"value": …}`` allows.
    """

    truncated = False


def whole(text: str) -> str:
    """The text with a question mark for each half of a surrogate pair, as models write them when they are cut off."""
    return text.encode(errors="replace").decode()


def whole_value(value: Any) -> Any:
    """The JSON value with whole characters in all texts: models are cut off in the middle of one now and then."""
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, dict):
        return {whole_value(key): whole_value(item) for key, item in value.items()}
    return [whole_value(item) for item in value] if isinstance(value, list) else value


def encode(value: Any) -> Any:
    """Gives the JSON of a value.

    Raises:
        TypeError: If it has none.
    """
    try:
        return _encode(value)
    except RecursionError:
        raise TypeError("a value that holds itself, or is nested too deeply, cannot enter the sandbox") from None


def _encode(value: Any) -> Any:
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value) if -_LARGEST <= value < _LARGEST else {"$int": _digits(int(value))}
    if isinstance(value, float):
        if math.isfinite(value):
            return float(value)
        return {"$float": "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"}
    if isinstance(value, Mapping):
        keys = list(value)
        if all(isinstance(key, str) for key in keys) and not (len(keys) == 1 and keys[0].startswith("$")):
            return {str.__str__(key): _encode(item) for key, item in value.items()}
        return {"$dict": [[_encode(key), _encode(item)] for key, item in value.items()]}
    if isinstance(value, list):
        return [_encode(item) for item in value]
    if isinstance(value, tuple):
        return {"$tuple": [_encode(item) for item in value]}
    if isinstance(value, frozenset):
        return {"$frozenset": [_encode(item) for item in value]}
    if isinstance(value, set):
        return {"$set": [_encode(item) for item in value]}
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


def decoded(value: Any, shown: str, decoder: Decoder | None = None) -> Any:
    """Gives the value of JSON that came out of the sandbox, or its repr where this process cannot build it.

    Args:
        value: The value as JSON.
        shown: Its repr.
        decoder: That of all values of an answer, whose cost has one bound.
    """
    try:
        return (decoder or Decoder()).decode(value)
    except (ArithmeticError, RecursionError, TypeError, ValueError):
        return Opaque(shown)


def _int(digits: str) -> int | Opaque:
    try:
        return int(digits)
    except ValueError:
        # Python reads no more than some thousand digits at once.
        return Opaque(digits) if len(digits) > _DIGITS else _long_int(digits)


def _long_int(digits: str) -> int:
    if digits.startswith("-"):
        return -_long_int(digits[1:])
    if len(digits) <= 600:
        return int(digits)
    half = len(digits) // 2
    shift: int = 10**half
    return _long_int(digits[:-half]) * shift + _long_int(digits[-half:])


def _digits(value: int) -> str:
    """The digits of an integer, of which Python writes no more than some thousand at once.

    Raises:
        TypeError: If they are more than can enter the sandbox.
    """
    # One digit is 3.322 bits.
    if value.bit_length() > _DIGITS * 3322 // 1000:
        raise TypeError(f"an integer of more than {_DIGITS} digits cannot enter the sandbox")
    return f"-{_padded(-value)}" if value < 0 else _padded(value)


def _padded(value: int, width: int = 0) -> str:
    """The digits of a positive integer, with zeros before them where they are fewer than ``width``."""
    if value.bit_length() <= 2000:
        return str(value).zfill(width)
    low = value.bit_length() * 3 // 20
    first, second = divmod(value, 10**low)
    return (_padded(first) + _padded(second, low)).zfill(width)


class Decoder:
    """Reads the values of an answer, and bounds what building the tables and comparing the keys in them takes.

    A script knows the hashes of numbers and tuples, which are the same in each process. Keys of one hash are compared,
    and where they hold sets whose items have one hash in turn, the comparisons multiply.
    """

    def __init__(self) -> None:
        self._left = _COMPARISONS
        self._probes = _MORE_PROBES
        #: Comparisons that one comparison of a frozenset comes to at most, by its id.
        self._costs: dict[int, int] = {}

    def decode(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.decode(item) for item in value]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            ((tag, inner),) = value.items()
            read = _READERS.get(tag)
            if read is not None:
                return read(self, inner)
        return {key: self.decode(item) for key, item in value.items()}

    def dict(self, pairs: list[list[Any]]) -> dict[Any, Any]:
        keys, _ = self._keys((key for key, _ in pairs), in_a_row=0)
        return {key: self.decode(item) for key, (_, item) in zip(keys, pairs, strict=True)}

    def frozenset(self, items: list[Any]) -> frozenset[Any]:
        keys, most = self._keys(items)
        built = frozenset(keys)
        self._costs[id(built)] = most * sum(map(self._cost, keys))
        return built

    def set(self, items: list[Any]) -> set[Any]:
        keys, _ = self._keys(items)
        return set(keys)

    def _keys(self, items: Iterable[Any], in_a_row: int = 9) -> tuple[list[Any], int]:
        """The keys of a set or dictionary, and how many of them have one hash at most."""
        keys = [self._key(item) for item in items]
        return keys, self.check(keys, in_a_row)

    def check(self, keys: list[Any], in_a_row: int) -> int:
        """Returns how many of the keys have one hash at most.

        Args:
            keys: Those of a set or dictionary that is to be built.
            in_a_row: Places that the table looks at in a row: 0 for a dictionary, 9 for a set.

        Raises:
            ValueError: If building it takes long.
        """
        hashes = [hash(key) for key in keys]
        # Sorting them takes no table.
        ordered = sorted(hashes)
        shared = [one for one, other in pairwise(ordered) if one == other]
        if len(shared) > _COLLISIONS:
            raise ValueError(f"a set or dictionary has more than {_COLLISIONS} keys whose hash is that of another one")
        alike: dict[int, list[Any]] = {common: [] for common in shared}
        for key, found in zip(keys, hashes, strict=True):
            if found in alike:
                alike[found].append(key)
        for compared in alike.values():
            cost = len(compared) ** 2 // 2 * max(map(self._cost, compared))
            if cost > self._left:
                raise ValueError("keys of one hash in sets or dictionaries take long to compare")
            self._left -= cost
        self._check_places(hashes, in_a_row)
        return max(map(len, alike.values()), default=1)

    def _check_places(self, hashes: list[int], in_a_row: int) -> None:
        count = len(hashes)
        usual = _USUAL_PROBES * count
        taken = _probes(hashes, in_a_row, min(_PROBES * count, usual + self._probes))
        if taken is None:
            self._probes = 0
            raise ValueError("the keys of a set or dictionary have hashes with which building it takes very long")
        self._probes -= max(taken - usual, 0)

    def _key(self, item: Any) -> Any:
        if isinstance(item, dict) and len(item) == 1 and "$set" in item:
            return self.frozenset(item["$set"])
        return self.decode(item)

    def _cost(self, key: Any) -> int:
        """The comparisons that comparing a key with another one comes to at most."""
        if isinstance(key, tuple):
            return 1 + sum(map(self._cost, key))
        if isinstance(key, frozenset):
            return 1 + self._costs.get(id(key), _COMPARISONS)
        if isinstance(key, (str, bytes)):
            return 1 + len(key) // 64
        return 1


def _probes(hashes: list[int], in_a_row: int, most: int) -> int | None:
    """How many taken places CPython looks at when it builds tables of these hashes; none if they are more than ``most``.

    Numbers can be chosen so that each looks at thousands, with hashes that all differ. The places are those of
    ``Objects/dictobject.c``; a set (``Objects/setobject.c``) looks at some more in a row each time. Tables grow, and
    copies have other sizes, so all sizes count that a table of so many keys can have.
    """
    count = len(hashes)
    if count <= _FEW_KEYS:
        return 0
    left = most
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
                    return None
                if in_a_row and place + in_a_row <= mask:
                    free = taken.find(0, place, place + in_a_row + 1)
                    if free >= 0:
                        place = free
                        break
                rest >>= 5
                place = (place * 5 + rest + 1) & mask
            taken[place] = 1
        size *= 2
    return most - left


_READERS: dict[str, Callable[[Decoder, Any], Any]] = {
    "$int": lambda _, digits: _int(digits),
    "$float": lambda _, text: float(text),
    "$bytes": lambda _, text: base64.b64decode(text),
    "$tuple": lambda decoder, items: tuple(decoder.decode(item) for item in items),
    "$set": Decoder.set,
    "$frozenset": Decoder.frozenset,
    "$date": lambda _, text: datetime.date.fromisoformat(text),
    "$datetime": lambda _, text: datetime.datetime.fromisoformat(text),
    "$dict": Decoder.dict,
    "$repr": lambda _, text: Opaque(text),
}
