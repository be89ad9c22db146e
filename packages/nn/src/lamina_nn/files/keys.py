"""What may be a key of a dict or an item of a set in a file, so that hashing and comparing keys takes linear time."""

from __future__ import annotations

from typing import Any, Final

from lamina_flatarray import CheckpointError, Device, DType
from lamina_tensor import Size

__all__ = ["Keys", "as_key"]

_MOST_ALIKE: Final = 100
_HASHED_TO_THEMSELVES: Final = (1 << 61) - 1  # and what is nearer to 0, but for -1


_DEEPEST_KEY: Final = 8
_LONGEST_KEY: Final = 64


def as_key(value: Any) -> Any:
    """A value that may be a key or an item of a set, itself: hashed in bounded time, and to no number of one's choice.

    Raises:
        CheckpointError: it may not.
    """
    kind = type(value)
    if kind is str or (kind is int and -(1 << 63) <= value < 1 << 64):
        return value
    items, count = [value], 0
    for _ in range(_DEEPEST_KEY):
        below: list[Any] = []
        for item in items:
            if type(item) in _NESTED_KEYS:
                count += len(item)
                below += item if count <= _LONGEST_KEY else ()
            elif type(item) not in _PLAIN_KEYS or (type(item) is int and not -(1 << 63) <= item < 1 << 64):
                raise CheckpointError(f"{type(item).__name__} found as a key or an item of a set, or an int of more than 64 bits")
        if count > _LONGEST_KEY:
            break
        if not below:
            return value
        items = below
    raise CheckpointError(f"a key or an item of a set of more than {_LONGEST_KEY} parts, or {_DEEPEST_KEY} levels")


_NESTED_KEYS: Final = frozenset({tuple, frozenset, Size})
_PLAIN_KEYS: Final = frozenset({str, bytes, int, float, bool, type(None), DType, Device})


class Keys:
    """The keys of one file. Few of them may have the same hash: a dict compares each of these with all others.

    Texts and bytes cannot be chosen so: their hashes are other ones in each process.
    """

    def __init__(self) -> None:
        self._by_hash: dict[int, list[Any]] = {}

    def __call__(self, value: Any) -> Any:
        """A value that may be a key or an item of a set, itself.

        Raises:
            CheckpointError: it may not, or too many before it had its hash.
        """
        kind = type(value)
        if kind is str or (kind is int and -_HASHED_TO_THEMSELVES < value < _HASHED_TO_THEMSELVES):
            return value
        alike = self._by_hash.setdefault(hash(as_key(value)), [])
        if value not in alike:
            if len(alike) == _MOST_ALIKE:
                raise CheckpointError(f"more than {_MOST_ALIKE} keys or items of sets have one hash, as is no accident")
            alike.append(value)
        return value
