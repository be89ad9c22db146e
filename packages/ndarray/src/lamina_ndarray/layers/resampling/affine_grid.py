"""The points that an affine map makes of an even grid over -1 .. 1."""

from __future__ import annotations

from math import prod
from typing import Any

from lamina_flatarray import DTypeError, ShapeError

from ...dispatch.namespace import Array, generic, namespace

__all__ = ["affine_grid"]


@generic
def affine_grid(theta: Array, size: Any, align_corners: bool = False) -> Array:
    """Compute the points of an even grid over -1 .. 1, each moved by an affine map, for `grid_sample`.

    Args:
        theta: `(n, d, d + 1)`, a map for each example, d being 2 or 3.
        size: `(n, channels, *spatial)` of the wanted images.
        align_corners: whether -1 and 1 are the centres of the outermost items instead of their outer borders.

    Returns:
        `(n, *spatial, d)`, in theta's dtype.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: theta is not floating.

    >>> identity = nd.asarray([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
    >>> nd.affine_grid(identity, (1, 1, 2, 2), align_corners=True)
    NDArray([[[[-1., -1.],
               [ 1., -1.]],
    <BLANKLINE>
              [[-1.,  1.],
               [ 1.,  1.]]]])
    """
    xp = namespace(theta)
    if not theta.dtype.is_floating_point:
        raise DTypeError(f"affine_grid: Expected theta to have floating point type, but got {theta.dtype}")
    n, _, *lengths = tuple(size)
    rank = len(lengths)
    if rank not in (2, 3) or tuple(theta.shape) != (n, rank, rank + 1) or min(n, *size) < 1:
        raise ShapeError(
            f"affine_grid: Expected a batch of {rank}D affine matrices of shape {n}x{rank}x{rank + 1} for size {list(size)}. Got "
            f"{list(theta.shape)}."
        )
    columns = []
    for i, length in reversed(list(enumerate(lengths))):
        line = xp.linspace(-1, 1, length, dtype=theta.dtype, device=theta.device) if length > 1 else xp.zeros(
            1, dtype=theta.dtype, device=theta.device
        )
        line = line if align_corners else line * ((length - 1) / length)
        columns.append(xp.broadcast_to(xp.reshape(line, [length if j == i else 1 for j in range(rank)]), lengths))
    columns.append(xp.ones(lengths, dtype=theta.dtype, device=theta.device))
    base = xp.reshape(xp.stack(columns, -1), (1, prod(lengths), rank + 1))
    return xp.reshape(base @ xp.transpose(theta), (n, *lengths, rank))
