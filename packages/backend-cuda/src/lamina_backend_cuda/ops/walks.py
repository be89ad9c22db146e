"""Layouts of operands that are walked together: axes that can be joined are, and the rest is packed for kernels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import Final, NamedTuple

__all__ = ["AXES", "Walk", "dense", "walk_format", "walks"]

AXES: Final = 8
"""How many axes a kernel walks over; what has more is launched once for each index of the others."""

Shape = tuple[int, ...]


class Walk(NamedTuple):
    """One launch's share of some operands.

    Attributes:
        size: how many items each has.
        begins: how far from the first item each begins, in items.
        values: what a kernel's parameter of the format `walk_format` takes.
        dense: whether each operand's items lie one after another.
    """

    size: int
    begins: tuple[int, ...]
    values: tuple[int, ...]
    dense: bool


def walk_format(operands: int) -> str:
    """Return the format of a `Walk` of so many operands.

    Args:
        operands: how many operands are walked together.

    Returns:
        A format of `struct`.

    >>> walk_format(2)
    'q2i24q'
    """
    return f"q2i{AXES * (1 + operands)}q"


@lru_cache(4096)
def walks(shape: Shape, strides: tuple[Shape, ...], ordered: bool = False) -> tuple[Walk, ...]:
    """Return what to launch for operands of one shape: almost always one walk.

    Args:
        shape: of all operands.
        strides: those of each, the result's first.
        ordered: whether indices must count items in row-major order; else axes may change places.

    Returns:
        The walks, none where there are no items.

    >>> walks((4, 3), ((3, 1), (3, 1)))[0].values[:4]
    (12, 1, 1, 12)
    """
    if 0 in shape:
        return ()
    axes = [(n, tuple(own[axis] for own in strides)) for axis, n in enumerate(shape) if n != 1]
    if not ordered:
        axes.sort(key=lambda axis: [-abs(step) for step in axis[1]])
    joined: list[tuple[int, tuple[int, ...]]] = []
    for n, steps in axes:
        if joined and all(outer == n * inner for outer, inner in zip(joined[-1][1], steps, strict=True)):
            joined[-1] = (joined[-1][0] * n, steps)
        else:
            joined.append((n, steps))
    joined = joined or [(1, (1,) * len(strides))]
    return tuple(_packed(joined, len(strides)))


def _packed(axes: Sequence[tuple[int, tuple[int, ...]]], operands: int) -> Iterator[Walk]:
    outer, inner = axes[: max(0, len(axes) - AXES)], axes[max(0, len(axes) - AXES) :]
    lengths = [n for n, _ in inner]
    size = prod(lengths)
    padding = [0] * (AXES - len(inner))
    values = [size, len(inner), int(size < 2**31), *lengths, *padding]
    for operand in range(operands):
        values += [*(steps[operand] for _, steps in inner), *padding]
    together = not outer and len(inner) == 1 and all(step == 1 for step in inner[0][1])
    for place in product(*(range(n) for n, _ in outer)):
        begins = tuple(sum(i * steps[k] for i, (_, steps) in zip(place, outer, strict=True)) for k in range(operands))
        yield Walk(size, begins, tuple(values), together)


def dense(shape: Shape) -> Shape:
    """Return the strides of row-major items without gaps.

    Args:
        shape: the number of items along each axis.

    Returns:
        The strides, in items.

    >>> dense((2, 3, 4))
    (12, 4, 1)
    """
    strides, step = [], 1
    for n in reversed(shape):
        strides.append(step)
        step *= max(n, 1)
    return tuple(reversed(strides))
