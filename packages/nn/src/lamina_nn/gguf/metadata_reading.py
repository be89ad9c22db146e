"""The metadata of a GGUF file: keys, and values that say their type."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .cursor import Cursor
from .value_types import ARRAY, BOOL, MOST_NESTED, NUMBERS, STRING

__all__ = ["read_metadata"]

_SHORTEST_PAIR: Final = 8 + 4 + 1  # the length of a key without letters, a type, a value of one byte
_SHORTEST: Final = {BOOL: 1, STRING: 8, ARRAY: 4 + 8} | {number: dtype.itemsize for number, dtype in NUMBERS.items()}


def read_metadata(cursor: Cursor, count: int) -> dict[str, Any]:
    """Read the pairs of keys and values: numbers, bools and texts of Python, and lists of these.

    Args:
        cursor: stands before the first key, and then behind the last value.
        count: how many pairs the file says there are.

    Raises:
        CheckpointError: the file is damaged.
    """
    cursor.expect(count, _SHORTEST_PAIR, f"the pairs of metadata, {count} in all,")
    result: dict[str, Any] = {}
    for _ in range(count):
        key = cursor.text("a key")
        if key in result:
            raise cursor.damaged(f"the key {key[:60]!a} is there twice")
        what = f"the value of {key[:60]!a}"
        result[key] = _value(cursor, cursor.u32(f"the type of {key[:60]!a}"), what, 0)
    return result


def _value(cursor: Cursor, kind: int, what: str, depth: int) -> Any:
    if kind == ARRAY:
        return _array(cursor, what, depth + 1)
    if kind not in _SHORTEST:
        raise cursor.damaged(f"{what} has the type {kind}, which there is not")
    if kind == STRING:
        return cursor.text(what)
    return _row(cursor, kind, 1, what)[0]


def _array(cursor: Cursor, what: str, depth: int) -> list[Any]:
    if depth > MOST_NESTED:
        raise cursor.damaged(f"{what} has arrays in arrays more than {MOST_NESTED} deep")
    kind, count = cursor.u32(what), cursor.u64(what)
    if kind not in _SHORTEST:
        raise cursor.damaged(f"{what} is an array of the type {kind}, which there is not")
    cursor.expect(count, _SHORTEST[kind], f"{what}, of length {count},")
    if kind in (STRING, ARRAY):
        return [_value(cursor, kind, what, depth) for _ in range(count)]
    return _row(cursor, kind, count, what)


def _row(cursor: Cursor, kind: int, count: int, what: str) -> list[Any]:
    """Numbers or bools that lie side by side."""
    dtype = NUMBERS.get(kind, np.dtype("u1"))
    numbers = np.frombuffer(cursor.take(count * dtype.itemsize, what), dtype)
    if kind != BOOL:
        return list(numbers.tolist())
    if numbers.max(initial=0) > 1:
        raise cursor.damaged(f"{what} is of bool, and a byte of it is {numbers.max()}")
    return list(numbers.astype(bool).tolist())
