"""Softmax along a dim, and its logarithm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import DTypeError

from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ...tensor_class import Tensor

__all__ = ["log_softmax", "softmax"]


@torch_function
def softmax(input: Tensor, dim: int, dtype: DType | None = None, *, out: Tensor | None = None) -> Tensor:
    """Compute the softmax along a dim: `exp(input) / sum(exp(input))`, without overflow.

    Args:
        input: real numbers.
        dim: the dim along which the results sum to 1.
        dtype: the dtype that items are cast to first.
        out: a tensor to write the result to.

    Returns:
        Numbers between 0 and 1, of input's shape.

    Raises:
        IndexOutOfRange: input has no such dim.
        DTypeError: the items are no floating-point numbers, in `dtype` if that is given.

    >>> torch.softmax(torch.tensor([0.0, 0.0]), dim=0)
    tensor([0.5000, 0.5000])
    """
    x = input if dtype is None else af.astype(input, dtype)
    if not x.array.flat.dtype.is_floating_point:
        raise DTypeError(f"softmax: not implemented for {x.array.flat.dtype!r}; it wants floating-point numbers")
    result = af.softmax(x, dim)
    return result if out is None else written("softmax", out, result)


@torch_function
def log_softmax(input: Tensor, dim: int, dtype: DType | None = None, *, out: Tensor | None = None) -> Tensor:
    """Compute the logarithm of the softmax along a dim: `input - log(sum(exp(input)))`, without overflow.

    Args:
        input: real numbers.
        dim: the dim along which the exponentials of the results sum to 1.
        dtype: the dtype that items are cast to first.
        out: a tensor to write the result to.

    Returns:
        Numbers up to 0, of input's shape.

    Raises:
        IndexOutOfRange: input has no such dim.
        DTypeError: the items are no floating-point numbers, in `dtype` if that is given.

    >>> torch.log_softmax(torch.tensor([0.0, 0.0]), dim=0)
    tensor([-0.6931, -0.6931])
    """
    x = input if dtype is None else af.astype(input, dtype)
    if not x.array.flat.dtype.is_floating_point:
        raise DTypeError(f"log_softmax: not implemented for {x.array.flat.dtype!r}; it wants floating-point numbers")
    result = af.log_softmax(x, dim)
    return result if out is None else written("log_softmax", out, result)
