"""Sums, products, means, norms and variances of the items that a mask leaves."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from lamina_flatarray import ArgumentTypeError, ArgumentValueError, DTypeError, float32, int64
from lamina_flatarray import bool as bool_

from .. import functions as lt
from ..dispatch.torch_function import torch_function
from ..functions.creation.filled import ones
from ..functions.reductions.dims import Dims
from ..linalg.norms import vector_norm
from .masks import filled, least, mask_of, several_dims

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ..tensor_class import Tensor

__all__ = ["logsumexp", "mean", "norm", "prod", "std", "sum", "var"]


@torch_function
def sum(
    input: Tensor,
    dim: Dims = None,
    *,
    keepdim: bool = False,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Add the items that a mask leaves.

    Args:
        input: the items.
        dim: the dim or dims to reduce; all for None and for an empty tuple.
        keepdim: whether reduced dims stay, with length 1.
        dtype: the dtype of the result; int64 for integers and booleans, else the input's for None.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        The sums, 0 where no item is left: input's shape without the reduced dims.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input, or a dim is named twice.

    >>> torch.masked.sum(torch.tensor([1.0, 5.0, 3.0]), mask=torch.tensor([True, False, True]))
    tensor(4.)
    """
    return lt.sum(filled("sum", input, mask, 0), several_dims("sum", dim, input), keepdim, dtype=dtype)


@torch_function
def prod(
    input: Tensor,
    dim: Dims = None,
    *,
    keepdim: bool = False,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Multiply the items that a mask leaves.

    Args:
        input: the items.
        dim: the dim or dims to reduce; all for None and for an empty tuple.
        keepdim: whether reduced dims stay, with length 1.
        dtype: the dtype of the result; int64 for integers and booleans, else the input's for None.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        The products, 1 where no item is left: input's shape without the reduced dims.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input, or a dim is named twice.

    >>> torch.masked.prod(torch.tensor([1.0, 5.0, 3.0]), mask=torch.tensor([True, False, True]))
    tensor(3.)
    """
    result = filled("prod", input, mask, 1)
    for axis in reversed(several_dims("prod", dim, input)):
        result = lt.prod(result, axis, keepdim, dtype=dtype)
    if dtype is None:
        dtype = input.dtype if input.dtype.is_inexact else int64
    return result.to(dtype)


@torch_function
def logsumexp(
    input: Tensor,
    dim: Dims = None,
    *,
    keepdim: bool = False,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Compute the logarithm of the sum of exponentials of the items that a mask leaves.

    Args:
        input: the items.
        dim: the dim or dims to reduce; all for None and for an empty tuple.
        keepdim: whether reduced dims stay, with length 1.
        dtype: the dtype of the result; the input's for None.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        `log(sum(exp(input)))`: input's shape without the reduced dims.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input, or a dim is named twice.
        DTypeError: the items are booleans under a mask.

    >>> torch.masked.logsumexp(torch.tensor([1.0, 5.0, 3.0]), mask=torch.tensor([True, False, True]))
    tensor(3.1269)
    """
    kept = input if mask is None else filled("logsumexp", input, mask, least("logsumexp", input.dtype, complex_numbers=True))
    return lt.logsumexp(kept, several_dims("logsumexp", dim, input), keepdim).to(input.dtype if dtype is None else dtype)


def _count(op: str, input: Tensor, axes: tuple[int, ...], keepdim: bool, mask: Tensor | None) -> Tensor:
    """How many items of each sum take part."""
    kept = ones(input.shape, dtype=bool_, device=input.device) if mask is None else mask_of(op, input, mask)
    return lt.sum(kept, axes, keepdim)


@torch_function
def mean(
    input: Tensor,
    dim: Dims = None,
    *,
    keepdim: bool = False,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Compute the mean of the items that a mask leaves.

    Args:
        input: the items.
        dim: the dim or dims to reduce; all for None and for an empty tuple.
        keepdim: whether reduced dims stay, with length 1.
        dtype: a floating-point or complex dtype to add in, and of the result; the input's for None.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        The means, NaN where no item is left: input's shape without the reduced dims.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input, or a dim is named twice.
        ArgumentValueError: the dtype is that of integers or booleans.

    >>> torch.masked.mean(torch.tensor([1.0, 5.0, 3.0]), mask=torch.tensor([True, False, True]))
    tensor(2.)
    """
    dtype = input.dtype if dtype is None else dtype
    if not dtype.is_inexact:
        raise ArgumentValueError(f"mean: wants a floating-point or complex dtype, got {dtype}")
    axes = several_dims("mean", dim, input)
    total = lt.sum(filled("mean", input, mask, 0), axes, keepdim, dtype=dtype)
    return total / _count("mean", input, axes, keepdim, mask)


@torch_function
def norm(
    input: Tensor,
    ord: float | None = 2.0,
    dim: Dims = None,
    *,
    keepdim: bool = False,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Compute the norm of vectors of the items that a mask leaves.

    Args:
        input: the items.
        ord: the order of the norm, as for `torch.linalg.vector_norm`.
        dim: the dim or dims to reduce; all for None and for an empty tuple.
        keepdim: whether reduced dims stay, with length 1.
        dtype: the dtype to compute in; the input's for None.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        The norms: input's shape without the reduced dims.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input, or a dim is named twice.
        DTypeError: the items are integers or booleans.

    >>> torch.masked.norm(torch.tensor([1.0, 5.0, 3.0]), mask=torch.tensor([True, False, True]))
    tensor(3.1623)
    """
    if ord is None:
        raise ArgumentTypeError("norm(): argument 'ord' must be Number, not NoneType")
    if mask is not None and ord == -inf and not input.dtype.is_floating_point:
        raise DTypeError(f"norm: of the order -inf under a mask wants floating-point numbers, got {input.dtype}")
    kept = filled("norm", input, mask, inf if ord == -inf else 0)
    return vector_norm(kept, ord, several_dims("norm", dim, input) or None, keepdim, dtype=dtype)


def _variance(
    op: str, input: Tensor, dim: Dims, unbiased: bool | None, correction: float | None, keepdim: bool, dtype: DType, mask: Tensor | None
) -> Tensor:
    if unbiased is not None and correction is not None:
        raise ArgumentValueError(f"{op}: takes `unbiased` or `correction`, and got both")
    if correction is None:
        correction = 0 if unbiased is False else 1
    axes = several_dims(op, dim, input)
    kept = filled(op, input, mask, 0)
    count = _count(op, input, axes, True, mask)
    deviations = kept - lt.sum(kept, axes, True, dtype=dtype) / count
    squares = filled(op, deviations * deviations.conj(), mask, 0)
    total = lt.sum(squares, axes, keepdim, dtype=dtype)
    count = count.reshape(total.shape)
    return total / (lt.clamp_min(count - correction, 0) if correction else count).to(dtype.to_real())


def _dtype_of_variance(input: Tensor, dtype: DType | None) -> DType:
    dtype = input.dtype if dtype is None else dtype
    return dtype if dtype.is_inexact else float32


@torch_function
def var(
    input: Tensor,
    dim: Dims = None,
    unbiased: bool | None = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Compute the variance of the items that a mask leaves.

    Args:
        input: the items.
        dim: the dim or dims to reduce; all for None and for an empty tuple.
        unbiased: whether sums are divided by one less than the number of items; True, if there is no `correction`.
        correction: how much less they are divided by.
        keepdim: whether reduced dims stay, with length 1.
        dtype: a floating-point or complex dtype to compute in; the input's for None, float32 for integers.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        The variances: input's shape without the reduced dims.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input, or a dim is named twice.
        ArgumentValueError: both `unbiased` and `correction` are given.

    >>> torch.masked.var(torch.tensor([1.0, 5.0, 3.0]), mask=torch.tensor([True, False, True]))
    tensor(2.)
    """
    result = _variance("var", input, dim, unbiased, correction, keepdim, _dtype_of_variance(input, dtype), mask)
    return result if dtype is None else result.to(dtype)


@torch_function
def std(
    input: Tensor,
    dim: Dims = None,
    unbiased: bool | None = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Compute the standard deviation of the items that a mask leaves.

    Args:
        input: the items.
        dim: the dim or dims to reduce; all for None and for an empty tuple.
        unbiased: whether sums are divided by one less than the number of items; True, if there is no `correction`.
        correction: how much less they are divided by.
        keepdim: whether reduced dims stay, with length 1.
        dtype: a floating-point or complex dtype to compute in; the input's for None, float32 for integers.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        The standard deviations: input's shape without the reduced dims.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input, or a dim is named twice.
        ArgumentValueError: both `unbiased` and `correction` are given.

    >>> torch.masked.std(torch.tensor([1.0, 5.0, 3.0]), mask=torch.tensor([True, False, True]))
    tensor(1.4142)
    """
    result = lt.sqrt(_variance("std", input, dim, unbiased, correction, keepdim, _dtype_of_variance(input, dtype), mask))
    return result if dtype is None else result.to(dtype)
