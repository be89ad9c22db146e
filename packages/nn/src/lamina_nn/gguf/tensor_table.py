"""Where the tensors of a GGUF file are: name, shape, type and place of each, checked against the file."""

from __future__ import annotations

from math import prod
from typing import Any, Final, NamedTuple

from .cursor import Cursor
from .tensor_types import TENSOR_TYPES, TensorType

__all__ = ["ALIGNMENT", "ALIGNMENT_KEY", "MOST_DIMS", "Entry", "read_table"]

ALIGNMENT: Final = 32
"""At a multiple of how many bytes each tensor begins, where the metadata does not say."""

ALIGNMENT_KEY: Final = "general.alignment"
"""The key of the metadata that says it."""

MOST_DIMS: Final = 4
"""How many dims a tensor may have."""

_SHORTEST_ENTRY: Final = 8 + 4 + 4 + 8  # a name without letters, the number of dims, the type, the place
_MOST_ITEMS: Final = 1 << 62


class Entry(NamedTuple):
    """One tensor of a file.

    Attributes:
        shape: in PyTorch's order: the items of the last dim lie side by side.
        type: how they are stored.
        begin: where in the file.
        nbytes: in how many bytes.
    """

    shape: tuple[int, ...]
    type: TensorType
    begin: int
    nbytes: int


def read_table(cursor: Cursor, count: int, metadata: dict[str, Any], size: int) -> dict[str, Entry]:
    """Read the entries of all tensors by name. Each begins where the one before has ended, at the next place that is aligned.

    Args:
        cursor: stands before the first entry.
        count: how many there are, as the file says.
        metadata: of the file.
        size: of the file, in bytes.

    Raises:
        CheckpointError: the file is damaged.
    """
    alignment = metadata.get(ALIGNMENT_KEY, ALIGNMENT)
    if type(alignment) is not int or alignment <= 0 or alignment & (alignment - 1):
        raise cursor.damaged(f"{ALIGNMENT_KEY} is {str(alignment)[:60]!a}, which is no power of two")
    cursor.expect(count, _SHORTEST_ENTRY, f"the entries of tensors, {count} in all,")
    relative: dict[str, Entry] = {}
    end = 0  # of the one before, from where the first begins
    for _ in range(count):
        name = cursor.text("the name of a tensor")
        if name in relative:
            raise cursor.damaged(f"the tensor {name[:60]!a} is there twice")
        entry = _entry(cursor, f"the tensor {name[:60]!a}")
        wanted = _aligned(end, alignment)
        if entry.begin != wanted:
            raise cursor.damaged(f"the tensor {name[:60]!a} is at {entry.begin}; next to the one before it would be at {wanted}")
        end = entry.begin + entry.nbytes
        relative[name] = entry
    begin = _aligned(cursor.at, alignment)
    result = {name: entry._replace(begin=begin + entry.begin) for name, entry in relative.items()}
    for name, entry in result.items():
        if entry.nbytes and entry.begin + entry.nbytes > size:
            raise cursor.damaged(
                f"the tensor {name[:60]!a} takes bytes {entry.begin} to {entry.begin + entry.nbytes} of a file of {size}: it is cut off"
            )
    return result


def _entry(cursor: Cursor, what: str) -> Entry:
    """What follows a tensor's name."""
    dims = cursor.u32(f"the dims of {what}")
    if dims > MOST_DIMS:
        raise cursor.damaged(f"{what} has {dims} dims; the format has {MOST_DIMS} at most")
    lengths = [cursor.u64(f"the shape of {what}") for _ in range(dims)]
    number = cursor.u32(f"the type of {what}")
    begin = cursor.u64(f"the place of {what}")
    if number not in TENSOR_TYPES:
        raise cursor.damaged(f"{what} has the type {number}, which there is not")
    kind = TENSOR_TYPES[number]
    if prod(max(length, 1) for length in lengths) >= _MOST_ITEMS:
        raise cursor.damaged(f"{what} of shape {tuple(lengths[::-1])} has too many items")
    if (lengths[0] if lengths else 1) % kind.items:
        raise cursor.damaged(f"{what} of shape {tuple(lengths[::-1])} is of {kind.name}, which wants rows of {kind.items} items each")
    return Entry(tuple(lengths[::-1]), kind, begin, prod(lengths) // kind.items * kind.nbytes)


def _aligned(place: int, alignment: int) -> int:
    return -(-place // alignment) * alignment
