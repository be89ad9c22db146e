"""Functions that the Array API standard calls otherwise than PyTorch, where the work has a PyTorch name here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..dispatch.namespace import composite, namespace
from ..layouts.broadcast import normalize_axis
from ..linalg import matrix_transpose

__all__ = ["expand_dims", "matrix_transpose", "permute_dims", "unstack"]


@composite
def expand_dims(x: Any, axis: int | Sequence[int] = 0) -> Any:
    """New axes of length 1, at these places of the result.

    Raises:
        IndexOutOfRange: the result has no such axis.
        ShapeError: a place is named twice.
    """
    return namespace(x).unsqueeze(x, axis if isinstance(axis, int) else tuple(axis))


@composite
def permute_dims(x: Any, axes: Sequence[int]) -> Any:
    """The axes in another order: axis i of the result is axis `axes[i]` of x.

    Raises:
        ShapeError: not every axis is named once.
    """
    return namespace(x).permute(x, axes)


@composite
def unstack(x: Any, axis: int = 0) -> tuple[Any, ...]:
    """The slices along an axis, without it: views.

    Raises:
        IndexOutOfRange: there is no such axis.
    """
    at = normalize_axis(axis, x.ndim, "unstack")
    return tuple(x[(*(slice(None),) * at, i)] for i in range(x.shape[at]))
