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
    count = 1
    for length in shape:
        count *= length
    return count


def row_major(shape: Shape) -> Layout:  # task
    """Return the layout of a shape in which the last axis runs fastest, without gaps: one step along an axis skips all that lies behind it.

    >>> row_major((2, 3, 4))
    Layout(shape=(2, 3, 4), strides=(12, 4, 1), offset=0)
    """
    strides = tuple(size_of(shape[axis + 1 :]) for axis in range(len(shape)))
    return Layout(shape, strides)


def place(layout: Layout, index: Shape) -> int:  # task
    """Return the place of the item with an index.

    >>> place(Layout((2, 3), (3, 1), offset=10), (1, 2))
    15
    """
    return layout.offset + sum(i * stride for i, stride in zip(index, layout.strides, strict=True))


def places(layout: Layout) -> list[int]:  # task
    """Return the places of all items, in the order in which one reads: the last axis runs fastest.

    >>> places(Layout((2, 3), (1, 2)))
    [0, 2, 4, 1, 3, 5]
    """
    found = [layout.offset]
    for length, stride in zip(layout.shape, layout.strides, strict=True):
        found = [begin + i * stride for begin in found for i in range(length)]
    return found


def transposed(layout: Layout, axes: Shape) -> Layout:  # task
    """Return the layout with its axes in another order: axis i of the result is axis `axes[i]` of what is given.

    >>> transposed(Layout((2, 3), (3, 1)), (1, 0))
    Layout(shape=(3, 2), strides=(1, 3), offset=0)
    """
    return Layout(tuple(layout.shape[axis] for axis in axes), tuple(layout.strides[axis] for axis in axes), layout.offset)


def selected(layout: Layout, axis: int, index: int) -> Layout:  # task
    """Return what is at one index of an axis: an axis less. A negative index counts from the end; IndexError if there is none.

    >>> selected(Layout((2, 3), (3, 1)), 0, 1)
    Layout(shape=(3,), strides=(1,), offset=3)
    """
    length = layout.shape[axis]
    if not -length <= index < length:
        raise IndexError(f"index {index} of an axis of length {length}")
    shape = layout.shape[:axis] + layout.shape[axis + 1 :]
    strides = layout.strides[:axis] + layout.strides[axis + 1 :]
    return Layout(shape, strides, layout.offset + index % length * layout.strides[axis])


def sliced(layout: Layout, axis: int, start: int | None, stop: int | None, step: int = 1) -> Layout:  # task
    """Return every `step`-th index of an axis from `start` up to `stop`, as Python slices lists.

    `range(*slice(start, stop, step).indices(length))` has the indices that are meant, also where numbers are negative, None or too large.
    Where there are none, the offset stays.

    >>> sliced(Layout((10,), (1,)), 0, 1, 8, 3)
    Layout(shape=(3,), strides=(3,), offset=1)
    """
    wanted = range(*slice(start, stop, step).indices(layout.shape[axis]))
    shape = (*layout.shape[:axis], len(wanted), *layout.shape[axis + 1 :])
    strides = (*layout.strides[:axis], step * layout.strides[axis], *layout.strides[axis + 1 :])
    return Layout(shape, strides, layout.offset + (wanted.start * layout.strides[axis] if wanted else 0))


def is_row_major(layout: Layout) -> bool:  # task
    """Return whether the items lie one after the other, in the order in which one reads, wherever the first one is.

    The stride of an axis of length 1 tells nothing, as nobody takes a step along it; of no items, all lie well.

    >>> is_row_major(Layout((2, 3), (3, 1), offset=7)), is_row_major(Layout((3, 2), (1, 3))), is_row_major(Layout((1, 3), (99, 1)))
    (True, False, True)
    """
    if size_of(layout.shape) == 0:
        return True
    wanted = row_major(layout.shape).strides
    return all(n == 1 or stride == w for n, stride, w in zip(layout.shape, layout.strides, wanted, strict=True))


def reshaped(layout: Layout, shape: Shape) -> Layout:  # task
    """Return a row-major layout's items, in the order in which one reads, as another shape.

    Raise ValueError if the shape has another number of items, or if the layout is not row-major: its items would have to be moved first.

    >>> reshaped(Layout((2, 6), (6, 1), offset=5), (3, 4))
    Layout(shape=(3, 4), strides=(4, 1), offset=5)
    """
    if size_of(shape) != size_of(layout.shape):
        raise ValueError(f"{size_of(layout.shape)} items do not make {shape}")
    if not is_row_major(layout):
        raise ValueError(f"{layout} is not row-major: copy it first")
    return Layout(shape, row_major(shape).strides, layout.offset)
