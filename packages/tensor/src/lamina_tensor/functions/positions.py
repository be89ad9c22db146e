"""Items by position: picked, written, put in order, masked by triangle."""

from __future__ import annotations

from typing import Any

import lamina_ndarray as nd
from lamina_ndarray.broadcast import normalize_axis

from .. import array_functions as af
from ..tensor import Tensor, tensor_of

__all__ = [
    "gather",
    "index_select",
    "nonzero",
    "scatter",
    "scatter_add",
    "take_along_dim",
    "tril",
    "triu",
]


def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Items picked along a dim: for dim 0, `out[i][j] = input[index[i][j]][j]`."""
    return af.gather(input, index, dim)


def take_along_dim(input: Tensor, indices: Tensor, dim: int) -> Tensor:
    """As `gather`."""
    return af.gather(input, indices, dim)


def scatter(input: Tensor, dim: int, index: Tensor, src: Any) -> Tensor:
    """A copy with items written along a dim: for dim 0, `out[index[i][j]][j] = src[i][j]`."""
    return af.scatter(input, index, src, dim)


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """A copy with items added along a dim."""
    return af.scatter_add(input, index, src, dim)


def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The slices of a dim at one-dimensional positions."""
    at = normalize_axis(dim, input.array.layout.ndim, "index_select")
    return af.getitem(input, (*(slice(None),) * at, index))


def nonzero(input: Tensor) -> Tensor:
    """The positions of nonzero items, one row each."""
    return tensor_of(nd.stack(nd.nonzero(input.array), 1))


def _triangle(input: Tensor, keep: Any) -> Tensor:
    rows, columns = input.shape[-2:]
    device = input.array.device
    row = nd.unsqueeze(nd.arange(rows, device=device), 1)
    mask = keep(nd.arange(columns, device=device) - row)
    return af.FUNCTIONS["where"](tensor_of(mask), input, False if input.array.dtype.kind == "b" else 0)


def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangle of the last two dims, up to a diagonal; zeros above."""
    return _triangle(input, lambda distance: distance <= diagonal)


def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangle of the last two dims, from a diagonal on; zeros below."""
    return _triangle(input, lambda distance: distance >= diagonal)
