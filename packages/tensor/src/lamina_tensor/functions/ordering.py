"""Items in order along `dim`, with PyTorch's pairs of values and indices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..dispatch import array_functions as af
from ..dispatch.spelling import written

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["argsort", "sort"]


def _arguments(dim: Any, descending: Any, stable: Any) -> tuple[int, bool]:
    """`sort(x, True, 0, False)` begins with `stable`, `sort(x, 0, False)` with `dim`."""
    if isinstance(dim, bool):
        return -1 if descending is None or isinstance(descending, bool) else descending, bool(stable)
    return dim, bool(descending)


def sort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False, *, out: Any = None) -> Any:
    """The items in order along a dim, and where they came from; always stable."""
    at, down = _arguments(dim, descending, stable)
    result = af.order(input, at, down)
    return result if out is None else written("sort", out, result)


def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """The positions that put a dim in order; always stable."""
    indices: Tensor = sort(input, dim, descending, stable).indices
    return indices
