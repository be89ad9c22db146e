"""Many arrays in one launch: tables of their addresses, as many as a kernel's parameters have room for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from ..maps import copy, row_major
from ..operands import address, dtype_of
from ..walks import walks

__all__ = ["MANY", "Table", "as_rows", "copy_back", "list_formats", "tables"]

MANY: Final = 64
"""How many arrays one launch has at most; as in `kernels/fused/lists/lists.cuh`."""

_SHARE: Final = 4096
_PACKED: Final = 4


class Table(NamedTuple):
    """What one launch is given of some arrays.

    Attributes:
        addresses: of each list, those of its arrays, with 0 behind the last.
        shares: what Shares takes.
        aligned: whether every address is one that several items can be read from at once.
    """

    addresses: tuple[tuple[int, ...], ...]
    shares: tuple[int, ...]
    aligned: bool


def list_formats(count: int) -> dict[str, str]:
    """Return the formats of so many lists of addresses, and of the shares of their arrays, by the names of their structs."""
    return {f"Lists<{count}>": f"{count * MANY}P", "Lists<1>": f"{MANY}P", "Shares": f"q{MANY}q{MANY}I"}


def as_rows(written: Sequence[Any], read: Sequence[Any]) -> tuple[list[Any], list[Any], list[tuple[Any, Any]]]:
    """Return operands of one shape whose items lie one after another, all in the same order: themselves, or copies where they do not.

    Args:
        written, read: operands that are changed, and such as are not.

    Returns:
        Both, and pairs of what is to be copied at the end: to, and from.
    """
    every = [*written, *read]
    over = walks(tuple(every[0].layout.shape), tuple(tuple(x.layout.strides) for x in every))
    if not over or (len(over) == 1 and over[0].dense):
        return list(written), list(read), []
    rows = [row_major(x) for x in written]
    return rows, [row_major(x) for x in read], [(x, row) for x, row in zip(written, rows, strict=True) if x is not row]


def copy_back(pairs: Sequence[tuple[Any, Any]]) -> None:
    """Copy what `as_rows` made copies of."""
    for to, row in pairs:
        copy(to, row)


def tables(lists: Sequence[Sequence[Any]]) -> Iterator[Table]:
    """Return tables of all arrays that have items.

    Args:
        lists: lists of operands, each with as many; those of one place have one size.

    Returns:
        A table for each launch.
    """
    filled = [arrays for arrays in zip(*lists, strict=True) if arrays[0].layout.size]
    for begin in range(0, len(filled), MANY):
        part = filled[begin : begin + MANY]
        columns = [tuple(map(address, column)) for column in zip(*part, strict=True)]
        aligned = all(
            at % (_PACKED * dtype_of(x).itemsize) == 0 for column, of in zip(columns, zip(*part, strict=True), strict=True)
            for at, x in zip(column, of, strict=True)
        )  # fmt: skip
        sizes = [arrays[0].layout.size for arrays in part]
        ends, end = [], 0
        for size in sizes:
            end += -(-size // _SHARE)
            ends.append(end)
        rest = (0,) * (MANY - len(part))
        yield Table(tuple((*column, *rest) for column in columns), (end, *sizes, *rest, *ends, *(end for _ in rest)), aligned)
