"""Sums, products, means and counts over dims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import DTypeError

from ...autograd.recording import refuse_whole_numbers
from ...dispatch.out import computed_in, written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from .dims import Dims, dims_or_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lamina_flatarray import DType

    from ...tensor_class import Tensor

__all__ = ["count_nonzero", "logsumexp", "mean", "nanmean", "nansum", "prod", "sum"]


@torch_function
def sum(
    input: Tensor, dim: Dims = None, keepdim: bool = False, *, dtype: DType | None = None, out: Tensor | None = None
) -> Tensor:
    """Sum the items over dims. Booleans and integers are summed in int64.

    Args:
        input: the items.
        dim: the dim or dims to reduce; all for None.
        keepdim: whether reduced dims stay, with length 1.
        dtype: the dtype that items are cast to first, and of the result.
        out: a tensor to write the result to.

    Returns:
        The sums: input's shape without the reduced dims.

    Raises:
        IndexOutOfRange: input has no such dim.
        ShapeError: a dim is given twice.

    >>> torch.sum(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=0)
    tensor([4., 6.])
    """
    if out is not None:
        dtype = computed_in(dtype, out)
    if dtype is not None:
        refuse_whole_numbers("sum", input, dtype)
    result = af.sum(input, None if dim == () or dim == [] else dim, keepdim, dtype=dtype)
    return result if out is None else written("sum", out, result)


@torch_function
def nansum(
    input: Tensor, dim: Dims = None, keepdim: bool = False, *, dtype: DType | None = None, out: Tensor | None = None
) -> Tensor:
    """Sum the items over dims that are not NaN.

    Args:
        input: real items.
        dim: the dim or dims to reduce; all for None.
        keepdim: whether reduced dims stay, with length 1.
        dtype: the dtype that items are cast to first, and of the result.
        out: a tensor to write the result to.

    Returns:
        The sums: input's shape without the reduced dims; 0 where all items are NaN.

    Raises:
        DTypeError: input is complex.

    >>> torch.nansum(torch.tensor([1.0, float("nan"), 3.0]))
    tensor(4.)
    """
    if input.array.flat.dtype.is_complex:
        raise DTypeError(f"nansum(): does not support complex inputs, but got {input.array.flat.dtype!r}")
    if out is not None:
        dtype = computed_in(dtype, out)
    if dtype is not None:
        refuse_whole_numbers("nansum", input, dtype)
    result = af.nansum(input, dims_or_all(dim), keepdim, dtype=dtype)
    return result if out is None else written("nansum", out, result)


@torch_function
def mean(
    input: Tensor, dim: Dims = None, keepdim: bool = False, *, dtype: DType | None = None, out: Tensor | None = None
) -> Tensor:
    """Average the items over dims.

    Args:
        input: floating-point or complex items, or others with `dtype`.
        dim: the dim or dims to reduce; all for None.
        keepdim: whether reduced dims stay, with length 1.
        dtype: the dtype that items are cast to first, and of the result.
        out: a tensor to write the result to.

    Returns:
        The arithmetic means: input's shape without the reduced dims; NaN where there are no items.

    Raises:
        DTypeError: the items are booleans or integers, and no floating-point or complex dtype is given.

    >>> torch.mean(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=1)
    tensor([1.5000, 3.5000])
    """
    if out is not None and input.array.dtype.is_inexact and out.dtype.is_inexact:
        dtype = computed_in(dtype, out)
    result = af.mean(input, None if dim == () or dim == [] else dim, keepdim, dtype=dtype)
    return result if out is None else written("mean", out, result)


@torch_function
def nanmean(
    input: Tensor, dim: Dims = None, keepdim: bool = False, *, dtype: DType | None = None, out: Tensor | None = None
) -> Tensor:
    """Average the items over dims that are not NaN.

    Args:
        input: floating-point or complex items.
        dim: the dim or dims to reduce; all for None.
        keepdim: whether reduced dims stay, with length 1.
        dtype: the dtype that items are cast to first, and of the result.
        out: a tensor to write the result to.

    Returns:
        The means: input's shape without the reduced dims; NaN where all items are NaN.

    Raises:
        DTypeError: the items or `dtype` are neither floating-point nor complex.

    >>> torch.nanmean(torch.tensor([1.0, float("nan"), 3.0]))
    tensor(2.)
    """
    result = af.nanmean(input, dims_or_all(dim), keepdim, dtype=dtype)
    return result if out is None else written("nanmean", out, result, casts=True)


@torch_function(autocast="float32", left_out=("dim",))
def prod(
    input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: DType | None = None, out: Tensor | None = None
) -> Tensor:
    """Multiply the items along a dim. Booleans and integers are multiplied in int64.

    Args:
        input: the items.
        dim: the dim to reduce; all for None.
        keepdim: whether reduced dims stay, with length 1.
        dtype: the dtype that items are cast to first, and of the result.
        out: a tensor to write the result to.

    Returns:
        The products: input's shape without the reduced dims.

    Raises:
        IndexOutOfRange: input has no such dim.

    >>> torch.prod(torch.tensor([2.0, 3.0, 4.0]))
    tensor(24.)
    """
    if out is not None:
        dtype = computed_in(dtype, out)
    if dtype is not None:
        refuse_whole_numbers("prod", input, dtype)
    result = af.prod(input, dim, keepdim, dtype=dtype)
    return result if out is None else written("prod", out, result)


@torch_function
def count_nonzero(input: Tensor, dim: Dims = None) -> Tensor:
    """Count the items over dims that are not zero.

    Args:
        input: the items.
        dim: the dim or dims to reduce; all for None.

    Returns:
        The counts in int64: input's shape without the reduced dims.

    >>> torch.count_nonzero(torch.tensor([[0, 1], [2, 3]]), dim=0)
    tensor([1, 2])
    """
    return af.count_nonzero(input, dims_or_all(dim))


@torch_function
def logsumexp(input: Tensor, dim: int | Sequence[int], keepdim: bool = False, *, out: Tensor | None = None) -> Tensor:
    """Compute the logarithm of the sum of exponentials over dims, without overflow.

    Args:
        input: the items.
        dim: the dim or dims to reduce.
        keepdim: whether reduced dims stay, with length 1.
        out: a tensor to write the result to.

    Returns:
        `log(sum(exp(input)))`: input's shape without the reduced dims.

    Raises:
        IndexOutOfRange: input has no such dim.

    >>> torch.logsumexp(torch.zeros(2), dim=0)
    tensor(0.6931)
    """
    result = af.logsumexp(input, dims_or_all(dim), keepdim)
    return result if out is None else written("logsumexp", out, result, casts=True)
