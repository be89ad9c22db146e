"""Scans: what a reduction of the items up to each one along a dim gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...autograd.recording import refuse_complex_numbers, refuse_whole_numbers
from ...dispatch import return_types
from ...dispatch.out import computed_in, written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lamina_flatarray import DType

    from ...tensor_class import Tensor

__all__ = ["cummax", "cummin", "cumprod", "cumsum", "logcumsumexp"]


@torch_function
def cumsum(input: Tensor, dim: int, *, dtype: DType | None = None, out: Tensor | None = None) -> Tensor:
    """Compute the running sum along a dim. Booleans and integers are summed in int64.

    Args:
        input: the items.
        dim: the dim to sum along.
        dtype: the dtype that items are cast to first, and of the result.
        out: a tensor to write the result to.

    Returns:
        The sums of the items up to each one: a tensor of input's shape.

    Raises:
        IndexOutOfRange: input has no such dim.

    >>> torch.cumsum(torch.tensor([1.0, 2.0, 3.0]), dim=0)
    tensor([1., 3., 6.])
    """
    if out is not None:
        dtype = computed_in(dtype, out)
    if dtype is not None:
        refuse_whole_numbers("cumsum", input, dtype)
    result = af.cumsum(input, dim, dtype=dtype)
    return result if out is None else written("cumsum", out, result)


@torch_function
def cumprod(input: Tensor, dim: int, *, dtype: DType | None = None, out: Tensor | None = None) -> Tensor:
    """Compute the running product along a dim. Booleans and integers are multiplied in int64.

    Args:
        input: the items.
        dim: the dim to multiply along.
        dtype: the dtype that items are cast to first, and of the result.
        out: a tensor to write the result to.

    Returns:
        The products of the items up to each one: a tensor of input's shape.

    Raises:
        IndexOutOfRange: input has no such dim.

    >>> torch.cumprod(torch.tensor([1.0, 2.0, 3.0]), dim=0)
    tensor([1., 2., 6.])
    """
    if out is not None:
        dtype = computed_in(dtype, out)
    if dtype is not None:
        refuse_whole_numbers("cumprod", input, dtype)
    result = af.cumprod(input if dtype is None else af.astype(input, dtype), dim, dtype=dtype)
    return result if out is None else written("cumprod", out, result)


@torch_function
def cummax(input: Tensor, dim: int, *, out: Sequence[Tensor] | None = None) -> return_types.cummax:
    """Find the greatest item so far along a dim, and its index: the last of equal ones. NaN wins.

    Args:
        input: real numbers; a tensor without dims or items may be complex.
        dim: the dim to go along.
        out: two tensors to write the results to.

    Returns:
        The greatest items up to each one and their indices, as `values` and `indices`, of input's shape.

    Raises:
        DTypeError: input is complex, and has dims and items.
        AutogradError: input is complex and requires gradients.
        IndexOutOfRange: input has no such dim.

    >>> values, indices = torch.cummax(torch.tensor([1.0, 3.0, 2.0]), dim=0)
    >>> values, indices
    (tensor([1., 3., 3.]), tensor([0, 1, 1]))
    """
    refuse_complex_numbers("cummax", input)
    result = tuple.__new__(return_types.cummax, af.cummax(input, dim))
    return result if out is None else written("cummax", out, result)


@torch_function
def cummin(input: Tensor, dim: int, *, out: Sequence[Tensor] | None = None) -> return_types.cummin:
    """Find the least item so far along a dim, and its index: the last of equal ones. NaN wins.

    Args:
        input: real numbers; a tensor without dims or items may be complex.
        dim: the dim to go along.
        out: two tensors to write the results to.

    Returns:
        The least items up to each one and their indices, as `values` and `indices`, of input's shape.

    Raises:
        DTypeError: input is complex, and has dims and items.
        AutogradError: input is complex and requires gradients.
        IndexOutOfRange: input has no such dim.

    >>> values, indices = torch.cummin(torch.tensor([3.0, 1.0, 2.0]), dim=0)
    >>> values, indices
    (tensor([3., 1., 1.]), tensor([0, 1, 1]))
    """
    refuse_complex_numbers("cummin", input)
    result = tuple.__new__(return_types.cummin, af.cummin(input, dim))
    return result if out is None else written("cummin", out, result)


@torch_function
def logcumsumexp(input: Tensor, dim: int, *, out: Tensor | None = None) -> Tensor:
    """Compute the logarithm of the running sum of exponentials along a dim, without overflow.

    Args:
        input: floating-point or complex items.
        dim: the dim to sum along.
        out: a tensor to write the result to.

    Returns:
        `log(cumsum(exp(input)))`, of input's shape.

    Raises:
        DTypeError: input is neither floating-point nor complex.
        IndexOutOfRange: input has no such dim.

    >>> torch.logcumsumexp(torch.zeros(2), dim=0)
    tensor([0.0000, 0.6931])
    """
    result = af.logcumsumexp(input, dim)
    return result if out is None else written("logcumsumexp", out, result)
