"""Softmaxes, scans and normalisation along a dim, and sums of exponentials of pairs, of the items that masks leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import functions as lt
from ..dispatch.torch_function import torch_function
from .masks import filled, greatest, least, one_dim
from .reductions import norm

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ..tensor_class import Tensor

__all__ = ["cumprod", "cumsum", "log_softmax", "logaddexp", "normalize", "softmax", "softmin"]


@torch_function
def softmax(
    input: Tensor,
    dim: int,
    *,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Compute the softmax of the items that a mask leaves.

    Args:
        input: the items.
        dim: the dim to go along.
        dtype: the dtype that items are cast to first; the input's for None.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        A tensor of input's shape; 0 where the mask leaves none, and NaN along a row of which no item is left.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input.
        DTypeError: the items are booleans or complex numbers.

    >>> torch.masked.softmax(torch.tensor([1.0, 5.0, 3.0]), 0, mask=torch.tensor([True, False, True]))
    tensor([0.1192, 0.0000, 0.8808])
    """
    axis = one_dim("softmax", dim, input)
    return lt.softmax(filled("softmax", input, mask, least("softmax", input.dtype)), axis, dtype=dtype)


@torch_function
def log_softmax(
    input: Tensor,
    dim: int,
    *,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Compute the logarithm of the softmax of the items that a mask leaves.

    Args:
        input: the items.
        dim: the dim to go along.
        dtype: the dtype that items are cast to first; the input's for None.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        A tensor of input's shape; minus infinity where the mask leaves none, and NaN along a row of which no item is left.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input.
        DTypeError: the items are booleans or complex numbers.

    >>> torch.masked.log_softmax(torch.tensor([1.0, 5.0, 3.0]), 0, mask=torch.tensor([True, False, True]))
    tensor([-2.1269,    -inf, -0.1269])
    """
    axis = one_dim("log_softmax", dim, input)
    return lt.log_softmax(filled("log_softmax", input, mask, least("log_softmax", input.dtype)), axis, dtype=dtype)


@torch_function
def softmin(
    input: Tensor,
    dim: int,
    *,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Compute the softmax of the negated items of the items that a mask leaves.

    Args:
        input: the items.
        dim: the dim to go along.
        dtype: the dtype that items are cast to first; the input's for None.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        A tensor of input's shape; 0 where the mask leaves none, and NaN along a row of which no item is left.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input.
        DTypeError: the items are booleans or complex numbers.

    >>> torch.masked.softmin(torch.tensor([1.0, 5.0, 3.0]), 0, mask=torch.tensor([True, False, True]))
    tensor([0.8808, 0.0000, 0.1192])
    """
    axis = one_dim("softmin", dim, input)
    return lt.softmax(lt.neg(filled("softmin", input, mask, greatest("softmin", input.dtype))), axis, dtype=dtype)


@torch_function
def cumsum(
    input: Tensor,
    dim: int,
    *,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Add up the items that a mask leaves, one after another.

    Args:
        input: the items.
        dim: the dim to go along.
        dtype: the dtype of the result; the input's for None.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        The sums so far, of input's shape.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input.

    >>> torch.masked.cumsum(torch.tensor([1.0, 5.0, 3.0]), 0, mask=torch.tensor([True, False, True]))
    tensor([1., 1., 4.])
    """
    kept = filled("cumsum", input, mask, 0)
    return lt.cumsum(kept, one_dim("cumsum", dim, input), dtype=input.dtype if dtype is None else dtype)


@torch_function
def cumprod(
    input: Tensor,
    dim: int,
    *,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Multiply the items that a mask leaves, one after another.

    Args:
        input: the items.
        dim: the dim to go along.
        dtype: the dtype of the result; the input's for None.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        The products so far, of input's shape.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input.

    >>> torch.masked.cumprod(torch.tensor([1.0, 5.0, 3.0]), 0, mask=torch.tensor([True, False, True]))
    tensor([1., 1., 3.])
    """
    kept = filled("cumprod", input, mask, 1)
    return lt.cumprod(kept, one_dim("cumprod", dim, input), dtype=input.dtype if dtype is None else dtype)


@torch_function
def normalize(
    input: Tensor,
    ord: float,
    dim: int,
    *,
    eps: float = 1e-12,
    dtype: DType | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Divide the items that a mask leaves by their norm.

    Args:
        input: the items.
        ord: the order of the norm, as for `torch.linalg.vector_norm`.
        dim: the dim to go along.
        eps: the least number that is divided by.
        dtype: the dtype that the norm is computed in; the input's for None.
        mask: which items take part; it broadcasts to the input. All for None.

    Returns:
        A tensor of input's shape, 0 where the mask leaves none.

    Raises:
        IndexOutOfRange: the mask has more dims than the input, or there is no such dim.
        ShapeError: the mask does not broadcast to the input.
        DTypeError: the items are integers or booleans.

    >>> torch.masked.normalize(torch.tensor([1.0, 5.0, 3.0]), 1.0, 0, mask=torch.tensor([True, False, True]))
    tensor([0.2500, 0.0000, 0.7500])
    """
    length = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return filled("normalize", input, mask, 0) / lt.maximum(length, length.new_full([], eps))


@torch_function
def logaddexp(
    input: Tensor,
    other: Tensor,
    *,
    dtype: DType | None = None,
    input_mask: Tensor | None = None,
    other_mask: Tensor | None = None,
) -> Tensor:
    """Compute the logarithm of the sum of exponentials of two tensors' items that masks leave.

    Args:
        input: the items.
        other: the other items; the two broadcast against each other.
        dtype: the dtype of the result; the input's for None.
        input_mask: which items of `input` take part; it broadcasts to it. All for None.
        other_mask: which items of `other` take part; it broadcasts to it. All for None.

    Returns:
        `log(exp(input) + exp(other))`, minus infinity where neither takes part.

    Raises:
        IndexOutOfRange: a mask has more dims than its tensor.
        ShapeError: a mask does not broadcast to its tensor, or the tensors do not to each other.
        DTypeError: the items are no floating-point numbers.

    >>> torch.masked.logaddexp(torch.tensor([0.0, 1.0]), torch.tensor([0.0, 5.0]), other_mask=torch.tensor([True, False]))
    tensor([0.6931, 1.0000])
    """
    kept = input if input_mask is None else filled("logaddexp", input, input_mask, least("logaddexp", input.dtype))
    others = other if other_mask is None else filled("logaddexp", other, other_mask, least("logaddexp", other.dtype))
    return lt.logaddexp(kept, others).to(input.dtype if dtype is None else dtype)
