"""Chapter 2. A layout is how flat memory is read as a grid.

Item i, j, ... lies at the place `offset + i * strides[0] + j * strides[1] + ...`, all counted in items. That is all there is to a
transpose, a slice or a reversal: each makes another layout over the same memory, and moves nothing.

Fill what ends in `# task`, from top to bottom, then run: python -m lamina_course check 2
"""

from __future__ import annotations

from dataclasses import dataclass

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """How long each axis is, how many items one step along it skips, and where the first item lies."""

    shape: Shape
    strides: Shape
    offset: int = 0


def size_of(shape: Shape) -> int:  # task
    """Return how many items a shape has. A shape without axes has one: a single number.

    >>> size_of((2, 3)), size_of((4, 0)), size_of(())
    (6, 0, 1)
    """
    raise NotImplementedError


def row_major(shape: Shape) -> Layout:  # task
    """Return the layout of a shape in which the last axis runs fastest, without gaps: one step along an axis skips all that lies behind it.

    >>> row_major((2, 3, 4))
    Layout(shape=(2, 3, 4), strides=(12, 4, 1), offset=0)
    """
    raise NotImplementedError


def place(layout: Layout, index: Shape) -> int:  # task
    """Return the place of the item with an index.

    >>> place(Layout((2, 3), (3, 1), offset=10), (1, 2))
    15
    """
    raise NotImplementedError


def places(layout: Layout) -> list[int]:  # task
    """Return the places of all items, in the order in which one reads: the last axis runs fastest.

    >>> places(Layout((2, 3), (1, 2)))
    [0, 2, 4, 1, 3, 5]
    """
    raise NotImplementedError


def transposed(layout: Layout, axes: Shape) -> Layout:  # task
    """Return the layout with its axes in another order: axis i of the result is axis `axes[i]` of what is given.

    >>> transposed(Layout((2, 3), (3, 1)), (1, 0))
    Layout(shape=(3, 2), strides=(1, 3), offset=0)
    """
    raise NotImplementedError


def selected(layout: Layout, axis: int, index: int) -> Layout:  # task
    """Return what is at one index of an axis: an axis less. A negative index counts from the end; IndexError if there is none.

    >>> selected(Layout((2, 3), (3, 1)), 0, 1)
    Layout(shape=(3,), strides=(1,), offset=3)
    """
    raise NotImplementedError


def sliced(layout: Layout, axis: int, start: int | None, stop: int | None, step: int = 1) -> Layout:  # task
    """Return every `step`-th index of an axis from `start` up to `stop`, as Python slices lists.

    `range(*slice(start, stop, step).indices(length))` has the indices that are meant, also where numbers are negative, None or too large.
    Where there are none, the offset stays.

    >>> sliced(Layout((10,), (1,)), 0, 1, 8, 3)
    Layout(shape=(3,), strides=(3,), offset=1)
    """
    raise NotImplementedError


def is_row_major(layout: Layout) -> bool:  # task
    """Return whether the items lie one after the other, in the order in which one reads, wherever the first one is.

    The stride of an axis of length 1 tells nothing, as nobody takes a step along it; of no items, all lie well.

    >>> is_row_major(Layout((2, 3), (3, 1), offset=7)), is_row_major(Layout((3, 2), (1, 3))), is_row_major(Layout((1, 3), (99, 1)))
    (True, False, True)
    """
    raise NotImplementedError


def reshaped(layout: Layout, shape: Shape) -> Layout:  # task
    """Return a row-major layout's items, in the order in which one reads, as another shape.

    Raise ValueError if the shape has another number of items, or if the layout is not row-major: its items would have to be moved first.

    >>> reshaped(Layout((2, 6), (6, 1), offset=5), (3, 4))
    Layout(shape=(3, 4), strides=(4, 1), offset=5)
    """
    raise NotImplementedError
