"""Functions that the Array API standard calls otherwise than PyTorch, where the work has a PyTorch name here."""

from __future__ import annotations

from collections.abc import Sequence

from lamina_flatarray import IndexOutOfRange

from ..dispatch.namespace import Array, generic, namespace
from ..layouts.broadcast import integers, normalize_axis
from ..linalg import matrix_transpose

__all__ = ["expand_dims", "matrix_transpose", "permute_dims", "unstack"]


@generic
def expand_dims(x: Array, axis: int | Sequence[int] = 0) -> Array:
    """Insert new axes of length 1.

    Args:
        x: an array.
        axis: the place of the new axis in the result, or several.

    Returns:
        A view with as many axes more.

    Raises:
        IndexOutOfRange: the result has no such axis.
        ShapeError: a place is named twice.

    >>> nd.expand_dims(nd.zeros((2, 3)), axis=(0, 2)).shape
    (1, 2, 1, 3)
    """
    return namespace(x).unsqueeze(x, integers(axis, "expand_dims"))


@generic
def permute_dims(x: Array, axes: Sequence[int]) -> Array:
    """Permute the axes: axis i of the result is axis `axes[i]` of x.

    Args:
        x: an array.
        axes: all axes of x, each once.

    Returns:
        A view.

    Raises:
        ShapeError: not every axis is named once.

    >>> nd.permute_dims(nd.zeros((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    return namespace(x).permute(x, axes)


@generic
def unstack(x: Array, axis: int = 0) -> tuple[Array, ...]:
    """Split an array into its slices along an axis, without that axis.

    Args:
        x: an array.
        axis: the axis that goes.

    Returns:
        A tuple of views, one per index of the axis.

    Raises:
        IndexOutOfRange: there is no such axis.

    >>> nd.unstack(nd.asarray([[1, 2], [3, 4]]))
    (NDArray([1, 2]), NDArray([3, 4]))
    """
    if not x.ndim:
        raise IndexOutOfRange(f"unstack: Dimension specified as {axis} but tensor has no dimensions")
    at = normalize_axis(axis, x.ndim, "unstack")
    return tuple(x[(*(slice(None),) * at, i)] for i in range(x.shape[at]))
