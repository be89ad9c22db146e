"""Metadata as bytes of a GGUF file: what type a value gets, and how it is laid out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from lamina_flatarray import CheckpointError

from .value_types import ARRAY, BOOL, MOST_NESTED, NUMBERS, NUMBERS_OF, STRING

__all__ = ["pair", "text"]

_LONGEST_KEY: Final = (1 << 16) - 1
_FLOAT32: Final = 6
_OF_ONE: Final = (4, 5, 10, 11)  # an int gets the first type that it fits: without a sign, as readers expect of sizes
_OF_SEVERAL: Final = (5, 4, 11, 10)  # and a list of ints with a sign, as they expect of kinds of tokens


def text(value: str, what: str) -> bytes:
    """Lay out a text: its length, and its UTF-8.

    Args:
        value: the text.
        what: it is, for the error.

    Raises:
        CheckpointError: half of a surrogate pair is in it, which has no UTF-8.
    """
    try:
        raw = value.encode()
    except UnicodeEncodeError as error:
        raise CheckpointError(f"save_gguf: {what} has no UTF-8: {error}") from error
    return len(raw).to_bytes(8, "little") + raw


def pair(key: str, value: Any) -> bytes:
    """Lay out a key and its value, with the value's type.

    Args:
        key: at most 65,535 bytes of UTF-8.
        value: as `save_gguf` takes it.

    Raises:
        CheckpointError: the format has no place for it.
    """
    if not isinstance(key, str) or not 0 < len(text(key, f"the key {key[:60]!a}")) - 8 <= _LONGEST_KEY:
        raise CheckpointError(f"save_gguf: the key {str(key)[:60]!a} of metadata; keys are texts of 1 to {_LONGEST_KEY} bytes")
    what = f"the value of {key[:60]!a}"
    kind, raw = _typed(value, what, 0)
    return text(key, what) + kind.to_bytes(4, "little") + raw


def _typed(value: Any, what: str, depth: int) -> tuple[int, bytes]:
    """The number of a value's type, and its bytes."""
    if isinstance(value, str):
        return STRING, text(value, what)
    if isinstance(value, (np.generic, np.ndarray)) and np.ndim(value) == 0:
        return _of_numpy(np.asarray(value), what)
    if isinstance(value, bool):
        return BOOL, bytes([value])
    if isinstance(value, int):
        return _integers([value], _OF_ONE, what)
    if isinstance(value, float):
        return _FLOAT32, _rounded(value, what)
    if isinstance(value, (list, tuple, np.ndarray)):
        return ARRAY, _array(value, what, depth + 1)
    raise CheckpointError(f"save_gguf: {what} is {type(value).__name__}; the format has numbers, bools, texts, and lists of one kind")


def _array(values: Any, what: str, depth: int) -> bytes:
    """The type of the items, how many there are, and these."""
    if depth > MOST_NESTED:
        raise CheckpointError(f"save_gguf: {what} has lists in lists more than {MOST_NESTED} deep")
    if isinstance(values, np.ndarray) and values.ndim == 1:
        kind, raw = _of_numpy(values, what)
    elif all(type(value) is int for value in values):
        kind, raw = _integers(values, _OF_SEVERAL, what)
    else:
        typed = [_typed(value, what, depth) for value in values]
        if len({kind for kind, _ in typed}) != 1:
            raise CheckpointError(f"save_gguf: {what} is a list of several kinds; the format has lists of one")
        kind, raw = typed[0][0], b"".join(part for _, part in typed)
    return kind.to_bytes(4, "little") + len(values).to_bytes(8, "little") + raw


def _of_numpy(items: np.ndarray[Any, np.dtype[Any]], what: str) -> tuple[int, bytes]:
    """Numbers that say their type themselves."""
    dtype = items.dtype.newbyteorder("<")
    if dtype not in NUMBERS_OF:
        raise CheckpointError(f"save_gguf: {what} is of NumPy's {items.dtype}, which the format does not have")
    return NUMBERS_OF[dtype], items.astype(dtype).tobytes()


def _integers(values: Sequence[int], kinds: tuple[int, ...], what: str) -> tuple[int, bytes]:
    least, most = min(values, default=0), max(values, default=0)
    for kind in kinds:
        bounds = np.iinfo(NUMBERS[kind])
        if bounds.min <= least and most <= bounds.max:
            return kind, np.array(values, NUMBERS[kind]).tobytes()
    raise CheckpointError(f"save_gguf: {what} has {least if least < -(1 << 63) else most}, which no integer of 64 bits holds")


def _rounded(value: float, what: str) -> bytes:
    with np.errstate(over="ignore"):
        rounded = np.array(value, NUMBERS[_FLOAT32])
    if np.isinf(rounded) and not np.isinf(value):
        raise CheckpointError(f"save_gguf: {what} is {value}, which float32 does not hold; give it as numpy.float64")
    return rounded.tobytes()
