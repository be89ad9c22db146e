"""Medians, modes, k-th smallest items and quantiles along a dim."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from ...autograd.recording import refuse_complex_numbers
from ...dispatch import return_types
from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...tensor_class import Tensor

__all__ = ["kthvalue", "median", "mode", "nanmedian", "nanquantile", "quantile"]


@overload
def median(input: Tensor) -> Tensor: ...
@overload
def median(input: Tensor, dim: int, keepdim: bool = False, *, out: Sequence[Tensor] | None = None) -> return_types.median: ...
@torch_function(left_out=("dim",))
def median(
    input: Tensor, dim: int | None = None, keepdim: bool = False, *, out: Sequence[Tensor] | None = None
) -> Tensor | return_types.median:
    """Find the median: the middle item in order, of an even number the lower of the two. NaN where there is one.

    Args:
        input: real numbers.
        dim: the dim to reduce; all for None.
        keepdim: whether the reduced dim stays, with length 1.
        out: with `dim`, two tensors to write the results to.

    Returns:
        Without `dim`, the median, without dims. With `dim`, the medians and their indices, as `values` and `indices`:
        input's shape without the dim.

    Raises:
        DTypeError: input is complex or boolean.
        EmptyAxis: the dim has no items.
        IndexOutOfRange: input has no such dim.

    >>> torch.median(torch.tensor([3.0, 1.0, 2.0, 4.0]))
    tensor(2.)
    >>> torch.median(torch.tensor([[3.0, 1.0, 2.0]]), dim=1).indices
    tensor([2])
    """
    if dim is None:
        whole: Tensor = af.median(input)
        return whole
    result = tuple.__new__(return_types.median, af.median(input, dim, keepdim))
    return result if out is None else written("median", out, result)


@overload
def nanmedian(input: Tensor) -> Tensor: ...
@overload
def nanmedian(
    input: Tensor, dim: int, keepdim: bool = False, *, out: Sequence[Tensor] | None = None
) -> return_types.nanmedian: ...
@torch_function(left_out=("dim",))
def nanmedian(
    input: Tensor, dim: int | None = None, keepdim: bool = False, *, out: Sequence[Tensor] | None = None
) -> Tensor | return_types.nanmedian:
    """Find the median of the items that are not NaN: the middle one in order, of an even number the lower of the two.

    Args:
        input: real numbers.
        dim: the dim to reduce; all for None.
        keepdim: whether the reduced dim stays, with length 1.
        out: with `dim`, two tensors to write the results to.

    Returns:
        Without `dim`, the median, without dims. With `dim`, the medians and their indices, as `values` and `indices`:
        input's shape without the dim; NaN where all items are.

    Raises:
        DTypeError: input is complex or boolean.
        EmptyAxis: the dim has no items.
        IndexOutOfRange: input has no such dim.

    >>> torch.nanmedian(torch.tensor([3.0, float("nan"), 2.0, 4.0]))
    tensor(3.)
    """
    if dim is None:
        whole: Tensor = af.nanmedian(input)
        return whole
    result = tuple.__new__(return_types.nanmedian, af.nanmedian(input, dim, keepdim))
    return result if out is None else written("nanmedian", out, result)


@torch_function
def mode(
    input: Tensor, dim: int = -1, keepdim: bool = False, *, out: Sequence[Tensor] | None = None
) -> return_types.mode:
    """Find the most frequent item along a dim, and its last index; of equally frequent ones, the least.

    Args:
        input: real numbers; a tensor without dims may be complex.
        dim: the dim to reduce.
        keepdim: whether the reduced dim stays, with length 1.
        out: two tensors to write the results to.

    Returns:
        The items and their indices, as `values` and `indices`: input's shape without the dim.

    Raises:
        DTypeError: input is complex, and has dims.
        AutogradError: input is complex and requires gradients.
        EmptyAxis: the dim has no items.
        IndexOutOfRange: input has no such dim.

    >>> values, indices = torch.mode(torch.tensor([2, 1, 2, 3]))
    >>> values, indices
    (tensor(2), tensor(2))
    """
    refuse_complex_numbers("mode", input)
    result = tuple.__new__(return_types.mode, af.mode(input, dim, keepdim))
    return result if out is None else written("mode", out, result)


@torch_function
def kthvalue(
    input: Tensor, k: int, dim: int = -1, keepdim: bool = False, *, out: Sequence[Tensor] | None = None
) -> return_types.kthvalue:
    """Find the k-th smallest item along a dim, and its index.

    Args:
        input: real numbers; a tensor without dims may be complex.
        k: the rank, from 1.
        dim: the dim to reduce.
        keepdim: whether the reduced dim stays, with length 1.
        out: two tensors to write the results to.

    Returns:
        The items and their indices, as `values` and `indices`: input's shape without the dim.

    Raises:
        ShapeError: there is no k-th item.
        EmptyAxis: the dim has no items.
        DTypeError: input is complex, and has dims.
        AutogradError: input is complex and requires gradients.
        IndexOutOfRange: input has no such dim.

    >>> values, indices = torch.kthvalue(torch.tensor([3.0, 1.0, 2.0]), 2)
    >>> values, indices
    (tensor(2.), tensor(2))
    """
    refuse_complex_numbers("kthvalue", input)
    result = tuple.__new__(return_types.kthvalue, af.kthvalue(input, k, dim, keepdim))
    return result if out is None else written("kthvalue", out, result)


@torch_function(autocast="float32")
def quantile(
    input: Tensor, q: float | Tensor, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear",
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Compute quantiles along a dim; NaN where there is one.

    Args:
        input: float32 or float64 numbers.
        q: which quantile: a number in [0, 1], or a tensor of them without dims or with one, of input's dtype.
        dim: the dim to reduce; all for None.
        keepdim: whether reduced dims stay, with length 1.
        interpolation: between the two nearest items: "linear", "lower", "higher", "midpoint" or "nearest".
        out: a tensor to write the result to.

    Returns:
        The quantiles: input's shape without the reduced dims, behind a first dim for those of a vector q.

    Raises:
        DTypeError: input has another dtype, or q does.
        ShapeError: there are no items, q lies outside of [0, 1] or has several dims, or the interpolation is another one.

    >>> torch.quantile(torch.tensor([0.0, 1.0, 2.0, 3.0]), 0.5)
    tensor(1.5000)
    """
    result = af.quantile(input, q, dim, keepdim, interpolation=interpolation)
    return result if out is None else written("quantile", out, result)


@torch_function(autocast="float32")
def nanquantile(
    input: Tensor, q: float | Tensor, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear",
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Compute quantiles of the items along a dim that are not NaN.

    Args:
        input: float32 or float64 numbers.
        q: which quantile: a number in [0, 1], or a tensor of them without dims or with one, of input's dtype.
        dim: the dim to reduce; all for None.
        keepdim: whether reduced dims stay, with length 1.
        interpolation: between the two nearest items: "linear", "lower", "higher", "midpoint" or "nearest".
        out: a tensor to write the result to.

    Returns:
        The quantiles: input's shape without the reduced dims, behind a first dim for those of a vector q; NaN where all
        items are.

    Raises:
        DTypeError: input has another dtype, or q does.
        ShapeError: there are no items, q lies outside of [0, 1] or has several dims, or the interpolation is another one.

    >>> torch.nanquantile(torch.tensor([0.0, float("nan"), 2.0]), 0.5)
    tensor(1.)
    """
    result = af.nanquantile(input, q, dim, keepdim, interpolation=interpolation)
    return result if out is None else written("nanquantile", out, result)
