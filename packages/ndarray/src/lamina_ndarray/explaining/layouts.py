"""How an array's items lie in flat memory, drawn as plain text: for people who learn what strides are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from ..layouts.layout import Layout

__all__ = ["Text", "explain_layout"]

_ROWS, _COLUMNS, _PLANES = 8, 10, 4
"""How many of each are drawn before a picture is summarised."""
_PLACES = 48
"""How many places of memory are drawn."""
_DRAWN = 4096
"""Of larger arrays the memory is not drawn."""
_WIDTH = 78


class Text(str):
    """A text that a Python prompt shows as it is, not as a quoted string."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def explain_layout(x: Any) -> Text:
    """A picture of where an array's items lie: which place of the flat memory each index reads, what lies at each
    place, and what follows from it (order, gaps, repetition, overlap, whether a flat view exists).

    Args:
        x: an array, or a bare Layout.

    Returns:
        A text of several lines; large arrays are summarised.

    Example: the middle columns of a 3 x 4 matrix, transposed::

        int64, shape (2, 3), strides (1, 4), offset 1, in a memory of 12 items

          [i, j] reads place 1 + i + 4j

                 j=0  1   2
            i=0    1  5   9
              1    2  6  10

            place  0    1    2  3  4    5    6  7  8    9   10  11
            index  .  0,0  1,0  .  .  0,1  1,1  .  .  0,2  1,2   .

    >>> text = nd.explain_layout(nd.transpose(nd.reshape(nd.arange(12), (3, 4))[:, 1:3]))
    >>> print(str(text).splitlines()[0])
    int64, shape (2, 3), strides (1, 4), offset 1, in a memory of 12 items
    """
    layout: Layout = x if isinstance(x, Layout) else x.layout
    memory = None if isinstance(x, Layout) else x.flat.size
    dtype = "" if isinstance(x, Layout) else f"{x.dtype.name}, "
    capacity = "" if memory is None else f", in a memory of {counted(memory, 'item')}"
    head = f"{dtype}shape {layout.shape}, strides {layout.strides}, offset {layout.offset}{capacity}"
    sections = [[head], [f"  {_formula(layout)}"]]
    if layout.size and layout.ndim:
        sections += _pictures(layout)
        sections.append(_memory(layout, memory))
    sections.append([f"  - {fact}" for fact in _facts(layout, memory)])
    return Text("\n\n".join("\n".join(lines) for lines in sections if lines))


# -- the formula --------------------------------------------------------------------------------------------------------


def _names(ndim: int) -> list[str]:
    return list("ijklmn"[:ndim]) if ndim <= 6 else [f"i{axis}" for axis in range(ndim)]


def _formula(layout: Layout) -> str:
    """`[i, j] reads place 1 + 4i - j`."""
    names = _names(layout.ndim)
    terms = str(layout.offset) if layout.offset or not any(layout.strides) else ""
    for name, stride, n in zip(names, layout.strides, layout.shape, strict=True):
        if stride == 0 or n == 1:
            continue
        sign = (" - " if terms else "-") if stride < 0 else (" + " if terms else "")
        terms += f"{sign}{abs(stride) if abs(stride) != 1 else ''}{name}"
    return f"[{', '.join(names)}] reads place {terms or layout.offset}"


# -- index to place -----------------------------------------------------------------------------------------------------


def _shown(n: int, most: int) -> list[int | None]:
    """All of 0 ... n - 1, or the first ones, a gap, and the last two."""
    return list(range(n)) if n <= most else [*range(most - 3), None, n - 2, n - 1]


def _pictures(layout: Layout) -> list[list[str]]:
    """The places that indices read: a row, or planes of the last two axes."""
    names = _names(layout.ndim)
    if layout.ndim == 1:
        return [_plane(layout, (), names)]
    leads: list[tuple[int, ...]] = []
    lead_shape = layout.shape[:-2]
    count = 1
    for n in lead_shape:
        count *= n
    numbers = _shown(count, _PLANES)
    for number in numbers:
        if number is None:
            continue
        lead = []
        for n in reversed(lead_shape):
            number, at = divmod(number, n)
            lead.append(at)
        leads.append(tuple(reversed(lead)))
    result = [_plane(layout, lead, names) for lead in leads]
    if None in numbers:
        result.insert(numbers.index(None), [f"  ... {counted(count - len(leads), 'more plane')} ..."])
    return result


def _plane(layout: Layout, lead: tuple[int, ...], names: list[str]) -> list[str]:
    title = [f"  [{', '.join(map(str, lead))}, {', '.join(names[-2:])}]"] if lead else []
    start = layout.offset + sum(i * s for i, s in zip(lead, layout.strides, strict=False))
    rows: list[int | None] = [0] if layout.ndim == 1 else _shown(layout.shape[-2], _ROWS)
    for limit in (_COLUMNS, 8, 6, 5, 4):  # as many columns as the width takes
        lines = _aligned(_places(layout, start, rows, _shown(layout.shape[-1], limit), names))
        if "" not in lines:
            break
    return title + lines


def _places(
    layout: Layout, start: int, rows: list[int | None], columns: list[int | None], names: list[str]
) -> list[list[str]]:
    step = 0 if layout.ndim == 1 else layout.strides[-2]
    table = [["", *[f"{names[-1]}=0" if c == 0 else "..." if c is None else str(c) for c in columns]]]
    for r in rows:
        if r is None:
            table.append(["...", *["..." for _ in columns]])
            continue
        label = "place" if layout.ndim == 1 else f"{names[-2]}=0" if r == 0 else str(r)
        table.append([label, *["..." if c is None else str(start + r * step + c * layout.strides[-1]) for c in columns]])
    return table


def _aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines, right-aligned column by column; lines that are too long continue below."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines, begin = [], 1
    while begin < len(widths):
        end, used = begin, 4 + widths[0]
        while end < len(widths) and (end == begin or used + 2 + widths[end] <= _WIDTH):
            used += 2 + widths[end]
            end += 1
        for row in table:
            cells = [row[0].rjust(widths[0]), *[c.rjust(w) for c, w in zip(row[begin:end], widths[begin:end], strict=True)]]
            lines.append(("    " + "  ".join(cells)).rstrip())
        if end < len(widths):
            lines.append("")
        begin = end
    return lines


# -- place to index -----------------------------------------------------------------------------------------------------


def _indices(layout: Layout) -> Iterator[tuple[int, tuple[int, ...]]]:
    for at in product(*map(range, layout.shape)):
        yield layout.offset + sum(i * s for i, s in zip(at, layout.strides, strict=True)), at


def _memory(layout: Layout, memory: int | None) -> list[str]:
    """What lies at each place: the index that reads it, how many do, or a dot."""
    if layout.size > _DRAWN:
        return [f"  (the memory is not drawn: {layout.size:,} items)"]
    readers: dict[int, list[tuple[int, ...]]] = {}
    for place, at in _indices(layout):
        readers.setdefault(place, []).append(at)
    low, high = layout.extent()
    last = high if memory is None else memory - 1
    first = 0 if last < _PLACES else max(0, low - 1)
    end = min(last + 1, first + _PLACES)
    if last - high <= 2 < last - end + 1 <= 4:
        end = last + 1
    table: list[list[str]] = [["place"], ["index"]]
    if first:
        table[0].append("...")
        table[1].append("")
    for place in range(first, end):
        indices = readers.get(place, [])
        table[0].append(str(place))
        table[1].append("." if not indices else _index(indices[0]) if len(indices) == 1 else f"{len(indices)}x")
    if end <= last:
        table[0].append("...")
        table[1].append("")
    return _aligned(table)


def _index(at: tuple[int, ...]) -> str:
    return ",".join(map(str, at))


# -- what follows from it -----------------------------------------------------------------------------------------------


def counted(n: int, noun: str) -> str:
    """Return how many there are, in words: `1 item`, `1,200 items`."""
    return f"{n:,} {noun}{'s' * (n != 1)}"


def _facts(layout: Layout, memory: int | None) -> Iterator[str]:
    if layout.size == 0:
        yield "it has no items: no place is read"
        return
    low, high = layout.extent()
    overlaps = layout.overlaps
    if layout.ndim == 0:
        yield f"it is one item, at place {low}"
        return
    yield _order(layout)
    for axis, (n, stride) in enumerate(zip(layout.shape, layout.strides, strict=True)):
        if n > 1 and stride == 0:
            yield f"axis {axis} has stride 0: one item is read {n:,} times, so repeating it takes no memory"
        elif n > 1 and stride < 0:
            yield f"axis {axis} has stride {stride}: it is read backwards"
    span = high - low + 1
    if not overlaps and span > layout.size:
        yield (
            f"of the {span:,} places from {low} to {high} it reads {layout.size:,}"
            f" and skips {counted(span - layout.size, 'other')}"
        )
    if memory is not None and (low > 0 or high < memory - 1):
        outside = []
        if low > 0:
            outside.append(f"{counted(low, 'item')} before its lowest place")
        if high < memory - 1:
            outside.append(f"{counted(memory - 1 - high, 'item')} after its highest")
        yield f"it is a part of its memory, which has {' and '.join(outside)}"
    if overlaps:
        yield "several indices reach one place: writing to it in place is refused, as the order would matter"
    flat = layout.reshape((layout.size,))
    if flat is None:
        yield "read in row-major order its steps are not all equal: flattening it takes a copy"
    elif layout.ndim > 1:
        yield f"flattening it is a view, with stride {flat.strides[0]}"


def _order(layout: Layout) -> str:
    if layout.contiguous:
        return "row-major without gaps (C order): the last axis is innermost, memory is read from front to back"
    if layout.is_contiguous("fortran"):
        return "column-major without gaps (Fortran order): the first axis is innermost"
    for name in ("channels_last", "channels_last_3d"):
        if layout.is_contiguous(name):
            return f"{name}: without gaps, axis 1 innermost"
    strides = layout.strides
    axes = sorted((a for a in range(layout.ndim) if layout.shape[a] > 1 and strides[a]), key=lambda a: -abs(strides[a]))
    if layout.is_dense():
        return f"without gaps in another order: its axes from the outermost to the innermost are {', '.join(map(str, axes))}"
    if not axes:
        return "all indices read one place"
    inner = axes[-1]
    apart = counted(abs(strides[inner]), "place")
    if layout.ndim == 1:
        return f"neighbours lie {apart} apart"
    return f"neither row-major nor column-major: neighbours are closest along axis {inner}, {apart} apart"
