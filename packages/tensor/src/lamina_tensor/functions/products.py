"""Products of vectors and matrices."""

from __future__ import annotations

from lamina_flatarray import DTypeError, ShapeError

from .. import array_functions as af
from ..tensor import Tensor

__all__ = ["bmm", "dot", "matmul", "mm", "outer"]


def matmul(input: Tensor, other: Tensor) -> Tensor:
    """The matrix product; vectors count as a row on the left and a column on the right; leading dims broadcast."""
    return af.FUNCTIONS["matmul"](input, other)


def _product(name: str, ndim: int, input: Tensor, other: Tensor) -> Tensor:
    if input.array.layout.ndim != ndim or other.array.layout.ndim != ndim:
        raise ShapeError(f"{name}: {ndim}D tensors expected, but got {input.shape} and {other.shape}")
    if input.array.dtype is not other.array.dtype:
        raise DTypeError(
            f"{name}: expected both tensors to have the same dtype, but got {input.array.dtype.name} and "
            f"{other.array.dtype.name}"
        )
    return matmul(input, other)


def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """The product of two matrices."""
    return _product("mm", 2, input, mat2)


def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """The products of two stacks of matrices."""
    return _product("bmm", 3, input, mat2)


def dot(input: Tensor, tensor: Tensor) -> Tensor:
    """The inner product of two vectors."""
    return _product("dot", 1, input, tensor)


def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """The outer product of two vectors."""
    return af.FUNCTIONS["multiply"](af.unsqueeze(input, 1), vec2)
