"""The greatest, the least and the middle of the items that a mask leaves, and where they are."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

from lamina_flatarray import ArgumentValueError, float32

from .. import functions as lt
from ..dispatch.torch_function import torch_function
from ..functions.reductions.dims import Dims
from .masks import filled, greatest, least, one_dim, several_dims

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ..tensor_class import Tensor

__all__ = ["amax", "amin", "argmax", "argmin", "median"]


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
