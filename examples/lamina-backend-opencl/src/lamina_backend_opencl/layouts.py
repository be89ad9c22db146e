"""Layouts as kernels read them: axes that can be walked as one are merged, and what is left goes along as a struct."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np

from lamina_flatarray import OpNotImplemented

__all__ = ["declaration", "packed", "start"]

_BYTES: Final = 896
"""A layout's size at most. OpenCL promises room for 1024 bytes of arguments."""

_PLACES: Final = """
typedef struct {{ long size, ndim, shape[{axes}], strides[{operands}][{axes}]; }} {name};

/* Adds to each of `at` where the operand has its item of this number, counted in row-major order. */
void {name}_places(const {name} *l, long item, long *at) {{
    for (long d = l->ndim - 1; d > 0; d--) {{
        const long next = item / l->shape[d], along = item - next * l->shape[d];
        for (int k = 0; k < {operands}; k++) at[k] += along * l->strides[k][d];
        item = next;
    }}
    for (int k = 0; k < {operands}; k++) at[k] += item * l->strides[k][0];
}}
"""


def _axes(operands: int) -> int:
    return (_BYTES // 8 - 2) // (1 + operands)


def declaration(name: str, operands: int) -> str:
    """Return OpenCL C: a struct `name` for the layouts of some operands of one shape, and the function `name_places`."""
    return _PLACES.format(name=name, operands=operands, axes=_axes(operands))


@lru_cache(maxsize=4096)
def packed(shape: tuple[int, ...], *strides: tuple[int, ...]) -> tuple[int, Any]:
    """Merge axes and pack what is left.

    Args:
        shape: of all operands.
        strides: of each operand, in items.

    Returns:
        The number of items, and the struct that `declaration` declares for as many operands.

    Raises:
        OpNotImplemented: more axes are left than a struct has room for.

    >>> packed((2, 3, 4), (12, 4, 1), (0, 4, 1))[0]
    24
    """
    size = 1
    axes: list[tuple[int, tuple[int, ...]]] = []  # of each axis that is left, how long it is and the strides of the operands
    for length, steps in zip(shape, zip(*strides, strict=True), strict=True):
        size *= length
        if length == 1:
            continue
        if axes and all(before == step * length for before, step in zip(axes[-1][1], steps, strict=True)):
            axes[-1] = axes[-1][0] * length, steps
        else:
            axes.append((length, steps))
    room = _axes(len(strides))
    if len(axes) > room:
        raise OpNotImplemented(f"opencl: a layout of {len(axes)} axes that do not merge; it wants at most {room}")
    fields = np.zeros((1 + len(strides), room), np.int64)
    for axis, (length, steps) in enumerate(axes):
        fields[:, axis] = length, *steps
    return size, np.void(np.array([size, len(axes), *fields.ravel()], np.int64).tobytes())


def start(operand: Any) -> int:
    """Return where an operand's first item lies in its memory, in items.

    Raises:
        OpNotImplemented: that is between two items, where OpenCL cannot read.
    """
    first, rest = divmod(operand.flat.offset, operand.flat.dtype.itemsize)
    if rest:
        raise OpNotImplemented(
            f"opencl: {operand.flat.dtype.name} at byte {operand.flat.offset}; it wants a multiple of {operand.flat.dtype.itemsize}"
        )
    return int(first + operand.layout.offset)
