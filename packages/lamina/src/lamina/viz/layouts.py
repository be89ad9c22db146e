"""`layout`: the view against the flat memory: which place each index reads, steps along axes, gaps, and places that several read."""

from __future__ import annotations

from itertools import product
from math import atan2, degrees, prod
from typing import Any, Final, NamedTuple

from lamina_flatarray import ArgumentTypeError
from lamina_ndarray import Layout, NDArray, explain_layout
from lamina_tensor import Tensor

from .canvas import COLOURS, Canvas
from .drawing import Drawing

__all__ = ["Place", "layout"]

_SIDE: Final = 8
"""How many rows and columns of a plane are drawn, and places in a line of memory: as many as the width of a phone takes."""
_PLANES: Final = 4
_INDICES: Final = 4096
"""How many indices are looked for in memory: where more overlap in so few places, it is not drawn."""
_WIDTH, _HEIGHT, _LEFT = 40, 28, 36
"""Of a cell, and where the first one begins."""


class Place(NamedTuple):
    """One place of the flat memory.

    Attributes:
        place: its number.
        indices: which indices read it, without those that only differ along axes of stride 0, which are 0 here.
        readers: how many do, with those; 0 for a gap.

    >>> [place.readers for place in torch.viz.layout(torch.ones(3).expand(2, 3)).data]
    [2, 2, 2]
    """

    place: int
    indices: tuple[tuple[int, ...], ...]
    readers: int


def layout(x: Any, places: int = 64) -> Drawing[tuple[Place, ...]]:
    """Draw how the items of a tensor lie in memory: the place that each index reads, and below it the memory.

    Arrows are single steps along each axis, places with dashes are gaps, and `2x` is a place that two indices read. Of large tensors
    the first indices and the first places are drawn; the drawing says what is left out.

    Args:
        x: a tensor, an NDArray, or a Layout. No item is read.
        places: how many places of memory are drawn at most.

    Returns:
        The drawing; its `data` are the places that are drawn.

    Raises:
        TypeError: x is none of these.
        ValueError: `places` is less than 1.
        RuntimeError: the tensor is sparse, so that it has no strides.

    >>> drawing = torch.viz.layout(torch.arange(6).reshape(2, 3).T)
    >>> [place.indices for place in drawing.data][:3]
    [((0, 0),), ((1, 0),), ((2, 0),)]
    """
    if places < 1:
        raise ValueError(f"layout: places={places}; it must be at least 1")
    if not isinstance(x, (Tensor, NDArray, Layout)):
        raise ArgumentTypeError(f"layout: {type(x).__name__} given; it wants a tensor, an NDArray or a Layout")
    if isinstance(x, Tensor):
        x.stride()  # which raises where there are none
        x = x.array
    lies: Layout = x if isinstance(x, Layout) else x.layout
    low, high = lies.extent() if lies.size else (0, -1)
    end = high + 1 if isinstance(x, Layout) else max(x.flat.size, high + 1)
    first = 0 if end <= places else max(0, min(low - 1, end - places))
    shown = _places(lies, first, min(end, first + places))
    items = f"{'' if isinstance(x, Layout) else x.dtype.name + ' of '}shape {lies.shape}"
    formula = f"place = {lies.offset}" + "".join(f" {s:+d}*i{axis}" for axis, s in enumerate(lies.strides))
    canvas = Canvas()
    canvas.text(8, 20, items)
    canvas.text(8, 36, f"strides {lies.strides}")
    canvas.text(8, 52, formula, "faint")
    y = _view(canvas, lies, 62) if lies.size else 62
    y = _memory(canvas, lies, shown, y + 18)
    if not shown and lies.size:
        canvas.text(8, y + 8, f"not drawn: more than {_INDICES:,} indices read it", "faint")
        y += 14
    elif end > len(shown):
        canvas.text(8, y + 16, f"drawn: places {first:,} to {first + len(shown) - 1:,} of {end:,}", "faint")
        y += 22
    gaps = sum(not place.readers for place in shown)
    title = f"{items} and strides {lies.strides}"
    width = max(360, 7.4 * max(len(items), len(formula)) + 16)
    several = sum(place.readers > 1 for place in shown)
    description = f"Of {len(shown)} places of memory {gaps} are not read, and {several} are read several times."
    return Drawing(title, canvas.svg(width, y + 8, title, description), str(explain_layout(x)), shown)


def _places(lies: Layout, first: int, end: int) -> tuple[Place, ...]:
    """The places from first up to end, with the indices that read them; others are never looked at. None where these are too many."""
    axes = [axis for axis in range(lies.ndim) if lies.strides[axis] and lies.shape[axis] > 1]
    axes.sort(key=lambda axis: -abs(lies.strides[axis]))
    spans = [lies.strides[axis] * (lies.shape[axis] - 1) for axis in axes]
    lows = [sum(min(0, span) for span in spans[depth:]) for depth in range(len(axes) + 1)]
    highs = [sum(max(0, span) for span in spans[depth:]) for depth in range(len(axes) + 1)]
    found: dict[int, list[tuple[int, ...]]] = {place: [] for place in range(first, end)}
    waiting = [((0,) * lies.ndim, lies.offset, 0)] if lies.size else []
    seen = 0
    while waiting:
        index, place, depth = waiting.pop()
        if depth == len(axes):
            found[place].append(index)
            if (seen := seen + 1) > _INDICES:
                return ()
            continue
        axis, stride = axes[depth], lies.strides[axes[depth]]
        least, most = first - highs[depth + 1] - place, end - 1 - lows[depth + 1] - place  # what i * stride may be
        if stride < 0:
            least, most, stride = -most, -least, -stride
        for i in range(min(lies.shape[axis] - 1, most // stride), max(0, -(-least // stride)) - 1, -1):
            waiting.append(((*index[:axis], i, *index[axis + 1 :]), place + i * lies.strides[axis], depth + 1))
    repeats = prod(n for n, stride in zip(lies.shape, lies.strides, strict=True) if not stride)
    return tuple(Place(place, tuple(sorted(indices)), len(indices) * repeats) for place, indices in found.items())


def _view(canvas: Canvas, lies: Layout, y: float) -> float:
    """The planes of the last two axes: in each cell the place that is read. Returns where they end."""
    rows, columns = (1, 1, *lies.shape)[-2:]
    lead = lies.shape[:-2]
    for number, outer in enumerate(product(*map(range, lead))):
        if number == _PLANES:
            canvas.text(8, y + 14, f"planes left out: {prod(lead) - _PLANES:,}", "faint")
            return y + 20
        if outer:
            canvas.text(8, y + 14, f"[{', '.join(map(str, outer))}, :, :]", "faint")
            y += 18
        if lies.ndim and lies.shape[-1] > 1:
            _legend(canvas, y, lies, lies.ndim - 1, f"M{_LEFT},{y + 10}h28", (_LEFT + 28, y + 10), 0)
        if lies.ndim > 1 and lies.shape[-2] > 1:
            _legend(canvas, y, lies, lies.ndim - 2, f"M18,{y + 20}v28", (18, y + 48), 90)
        y += 20
        for r in range(min(rows, _SIDE)):
            for c in range(min(columns, _SIDE)):
                index = (*outer, r, c)[max(0, 2 - lies.ndim) :]
                place = lies.offset + sum(i * stride for i, stride in zip(index, lies.strides, strict=True))
                _cell(canvas, _LEFT + c * _WIDTH, y, str(place), f"f{_row(index) % COLOURS}", f"{list(index)} reads place {place}")
            y += _HEIGHT
        left = [f"{n - _SIDE:,} more {what}" for n, what in ((rows, "rows"), (columns, "columns")) if n > _SIDE]
        if left:
            canvas.text(_LEFT, y + 14, f"left out: {' and '.join(left)}", "faint")
            y += 20
    return y


def _legend(canvas: Canvas, y: float, lies: Layout, axis: int, commands: str, end: tuple[float, float], angle: float) -> None:
    """An arrow along an axis; beside it the stride, above the plane."""
    canvas.arrow(commands, end, angle, f"c{axis % COLOURS}")
    canvas.text(_LEFT + (150 if angle else 36), y + 14, f"{'↓ ' if angle else ''}i{axis}: {lies.strides[axis]:+d}", f"w{axis % COLOURS}")


def _memory(canvas: Canvas, lies: Layout, shown: tuple[Place, ...], y: float) -> float:
    """The places in lines, with the indices that read them, and a step along each axis. Returns where they end."""
    canvas.text(8, y, "memory: place, and index that reads it", "faint")
    y += 8
    centres: dict[tuple[int, ...], tuple[float, float]] = {}
    for number, place in enumerate(shown):
        cx, cy = _LEFT + number % _SIDE * _WIDTH, y + number // _SIDE * (_HEIGHT + 16)
        if number % _SIDE == 0:
            canvas.text(_LEFT - 6, cy + 29, str(place.place), "faint", "end")
        words = "" if not place.readers else ",".join(map(str, place.indices[0])) if place.readers == 1 else f"{place.readers}x"
        kind = f"f{_row(place.indices[0]) % COLOURS}" if place.indices else "gap"
        tip = f"place {place.place}: {', '.join(str(list(index)) for index in place.indices[:8]) or 'not read'}"
        _cell(canvas, cx, cy + 10, words, kind, tip)
        for index in place.indices:
            centres[index] = (cx + _WIDTH / 2, cy + 10)
    start = centres.get((0,) * lies.ndim)
    for axis in range(lies.ndim):
        end = centres.get((*(0,) * axis, 1, *(0,) * (lies.ndim - axis - 1)))
        if start and end and lies.strides[axis]:
            (ax, ay), (bx, by) = start, end
            bend = (ax + bx) / 2, min(ay, by) - 12
            angle = degrees(atan2(by - bend[1], bx - bend[0]))
            canvas.arrow(f"M{ax:g},{ay:g}Q{bend[0]:g},{bend[1]:g} {bx:g},{by:g}", end, angle, f"c{axis % COLOURS}")
    return y + -(-len(shown) // _SIDE) * (_HEIGHT + 16) + 4


def _cell(canvas: Canvas, x: float, y: float, words: str, kind: str, tip: str) -> None:
    canvas.box(x + 1, y + 1, _WIDTH - 2, _HEIGHT - 2, kind, tip)
    canvas.text(x + _WIDTH / 2, y + _HEIGHT / 2 + 4, words if len(words) <= 5 else words[:4] + "…", "ink", "middle")


def _row(index: tuple[int, ...]) -> int:
    """What cells are coloured by: the last index but one."""
    return index[-2] if len(index) > 1 else 0
