"""Reductions of the items that a mask leaves."""

from __future__ import annotations

from math import inf, nan
from typing import TYPE_CHECKING

from lamina_flatarray import ArgumentTypeError, ArgumentValueError, DTypeError, float32, int64
from lamina_flatarray import bool as bool_

from .. import functions as lt
from ..dispatch.torch_function import torch_function
from ..functions.creation.filled import ones
from ..functions.reductions.dims import Dims
from ..linalg.norms import vector_norm
from .masks import filled, greatest, least, mask_of, one_dim, several_dims

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ..tensor_class import Tensor

__all__ = ["amax", "amin", "argmax", "argmin", "logsumexp", "mean", "median", "norm", "prod", "std", "sum", "var"]


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
def amax(
    input: Tensor,
    dim: Dims = None,
    *,
    keepdim: bool = False,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Find the greatest of the items that a mask leaves.

    Args:
        input: the items.
        dim: the dim or dims to reduce; all for None and for an empty tuple.
        keepdim: whether reduced dims stay, with length 1.
        dtype: the dtype of the result; the input's for None.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        The greatest items; the least number of the dtype where no item is left: input's shape without the reduced dims.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input, or a dim is named twice.
        DTypeError: the numbers have no order, or are booleans under a mask.

    >>> torch.masked.amax(torch.tensor([1.0, 5.0, 3.0]), mask=torch.tensor([True, False, True]))
    tensor(3.)
    """
    kept = input if mask is None else filled("amax", input, mask, least("amax", input.dtype))
    result = lt.amax(kept, several_dims("amax", dim, input), keepdim)
    return result if dtype is None else result.to(dtype)


@torch_function
def amin(
    input: Tensor,
    dim: Dims = None,
    *,
    keepdim: bool = False,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Find the least of the items that a mask leaves.

    Args:
        input: the items.
        dim: the dim or dims to reduce; all for None and for an empty tuple.
        keepdim: whether reduced dims stay, with length 1.
        dtype: the dtype of the result; the input's for None.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        The least items; the greatest number of the dtype where no item is left: input's shape without the reduced dims.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input, or a dim is named twice.
        DTypeError: the numbers have no order, or are booleans under a mask.

    >>> torch.masked.amin(torch.tensor([1.0, 5.0, 3.0]), mask=torch.tensor([True, False, True]))
    tensor(1.)
    """
    kept = input if mask is None else filled("amin", input, mask, greatest("amin", input.dtype))
    result = lt.amin(kept, several_dims("amin", dim, input), keepdim)
    return result if dtype is None else result.to(dtype)


@torch_function
def argmax(
    input: Tensor,
    dim: int | None = None,
    *,
    keepdim: bool = False,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Find where the greatest of the items that a mask leaves is.

    Args:
        input: the items.
        dim: the dim to reduce; all, as if flattened, for None.
        keepdim: whether reduced dims stay, with length 1.
        dtype: the dtype of the result; the input's, as in PyTorch, for None.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        The indices: input's shape without the reduced dims.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input.
        DTypeError: the numbers have no order, or are booleans under a mask.

    >>> torch.masked.argmax(torch.tensor([1.0, 5.0, 3.0]), mask=torch.tensor([True, False, True]), dtype=torch.int64)
    tensor(2)
    """
    kept = input if mask is None else filled("argmax", input, mask, least("argmax", input.dtype))
    return lt.argmax(kept, dim, keepdim).to(input.dtype if dtype is None else dtype)


@torch_function
def argmin(
    input: Tensor,
    dim: int | None = None,
    *,
    keepdim: bool = False,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Find where the least of the items that a mask leaves is.

    Args:
        input: the items.
        dim: the dim to reduce; all, as if flattened, for None.
        keepdim: whether reduced dims stay, with length 1.
        dtype: the dtype of the result; the input's, as in PyTorch, for None.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        The indices: input's shape without the reduced dims.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input.
        DTypeError: the numbers have no order, or are booleans under a mask.

    >>> torch.masked.argmin(torch.tensor([1.0, 5.0, 3.0]), mask=torch.tensor([True, False, True]), dtype=torch.int64)
    tensor(0)
    """
    kept = input if mask is None else filled("argmin", input, mask, greatest("argmin", input.dtype))
    return lt.argmin(kept, dim, keepdim).to(input.dtype if dtype is None else dtype)


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
def median(
    input: Tensor,
    dim: int = -1,
    *,
    keepdim: bool = False,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Find the median of the items that a mask leaves; NaN never takes part.

    Args:
        input: the items.
        dim: the dim to reduce.
        keepdim: whether reduced dims stay, with length 1.
        dtype: the dtype of the result where the input is not of floating-point numbers; the input's for None.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        The lower median of each row, NaN where no item is left: input's shape without the reduced dims.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input.
        ArgumentValueError: no item is left of a row of integers.

    >>> torch.masked.median(torch.tensor([1.0, 5.0, 3.0]), mask=torch.tensor([True, False, True]))
    tensor(1.)
    """
    axis = one_dim("median", dim, input)
    numbers = input if input.dtype.is_floating_point else input.to(float32)
    result = lt.nanmedian(filled("median", numbers, mask, nan), axis, keepdim).values
    if input.dtype.is_floating_point:
        return result
    if bool(lt.isnan(result).any()):
        raise ArgumentValueError(f"median: the mask leaves no item of a row of {input.dtype}, along dim {dim} of {tuple(input.shape)}")
    return result.to(input.dtype if dtype is None else dtype)


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
