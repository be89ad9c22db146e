"""The greatest and the least items over dims, and their indices."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from lamina_flatarray import DTypeError, EmptyAxis
from lamina_flatarray.modes import NO_GRAD, word
from lamina_ndarray.layouts.broadcast import normalize_axes, normalize_axis
from lamina_ndarray.reductions.extremes import extremes
from lamina_ndarray.reductions.folds import reduced

from ...dispatch import return_types
from ...dispatch.out import check_tensors, written
from ...dispatch.tensor_functions import FUNCTIONS, af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor, tensor_of
from .dims import Dims, dims_or_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...tensor_class import Tensor

__all__ = ["amax", "amin", "aminmax", "argmax", "argmin", "max", "min"]


def _of_all(op: str, input: Tensor) -> Tensor:
    return FUNCTIONS[op](input) if input.requires_grad else tensor_of(reduced(op, input.array, None, False, None))


def _along(op: str, input: Tensor, dim: int, keepdim: bool) -> tuple[Tensor, Tensor]:
    """The extreme items along a dim and their first indices; the gradient goes to these."""
    array = input.array
    ndim = array.layout.ndim
    if array.flat.dtype.is_complex:
        raise DTypeError(f"{op}(): not defined for {array.flat.dtype!r}; it wants real numbers")
    axis = normalize_axis(dim, ndim, op)
    if ndim and (word.get() & NO_GRAD or not input.requires_grad):
        values, indices = extremes(op, array, axis, keepdim)
        return tensor_of(values), tensor_of(indices)
    positions = tensor_of(reduced(f"arg{op}", array, (axis,) if ndim else None, True, None))
    if not ndim:
        return af.copy(input), positions
    picked = af.gather(input, positions, axis)
    return (picked, positions) if keepdim else (af.squeeze(picked, axis), af.squeeze(positions, axis))


@overload
def max(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def max(input: Tensor, dim: int, keepdim: bool = False, *, out: Sequence[Tensor] | None = None) -> return_types.max: ...
@overload
def max(input: Tensor, other: Tensor, /, *, out: Tensor | None = None) -> Tensor: ...
@overload
def max(input: Tensor, *, other: Tensor, out: Tensor | None = None) -> Tensor: ...
@torch_function(strict=True, left_out=("dim", "other"))
def max(
    input: Tensor, dim: int | Tensor | None = None, keepdim: bool = False, *, other: Tensor | None = None,
    out: Tensor | Sequence[Tensor] | None = None,
) -> Tensor | return_types.max:  # fmt: skip
    """Find the greatest item, the greatest along a dim and its index, or the greater of two tensors' items. NaN wins.

    Args:
        input: real numbers.
        dim: the dim to reduce; all for None. A tensor in its place is `other`.
        keepdim: whether the reduced dim stays, with length 1.
        other: a tensor to compare with item by item, instead of a reduction; shapes broadcast.
        out: a tensor to write the result to; with `dim`, two of them.

    Returns:
        Without `dim`, the greatest item, without dims; its gradient is shared by equal items. With `dim`, the greatest
        items and their first indices, as `values` and `indices`. With `other`, what `maximum` gives.

    Raises:
        EmptyAxis: there are no items.
        IndexOutOfRange: input has no such dim.
        DTypeError: input is complex.

    >>> x = torch.tensor([[1.0, 5.0], [4.0, 2.0]])
    >>> torch.max(x)
    tensor(5.)
    >>> values, indices = torch.max(x, dim=1)
    >>> values, indices
    (tensor([5., 4.]), tensor([1, 0]))
    >>> torch.max(x, torch.tensor(3.0))
    tensor([[3., 5.],
            [4., 3.]])
    """
    if not isinstance(input, AnyTensor):
        check_tensors("max", input)
    if isinstance(dim, AnyTensor):
        other, dim = dim, None
    result: Tensor | return_types.max
    if other is not None:
        result = af.maximum(input, other)
    elif dim is None:
        result = _of_all("max", input)
    else:
        result = tuple.__new__(return_types.max, _along("max", input, dim, keepdim))
    return result if out is None else written("max", out, result, casts=not isinstance(result, tuple))


@overload
def min(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def min(input: Tensor, dim: int, keepdim: bool = False, *, out: Sequence[Tensor] | None = None) -> return_types.min: ...
@overload
def min(input: Tensor, other: Tensor, /, *, out: Tensor | None = None) -> Tensor: ...
@overload
def min(input: Tensor, *, other: Tensor, out: Tensor | None = None) -> Tensor: ...
@torch_function(strict=True, left_out=("dim", "other"))
def min(
    input: Tensor, dim: int | Tensor | None = None, keepdim: bool = False, *, other: Tensor | None = None,
    out: Tensor | Sequence[Tensor] | None = None,
) -> Tensor | return_types.min:  # fmt: skip
    """Find the least item, the least along a dim and its index, or the lesser of two tensors' items. NaN wins.

    Args:
        input: real numbers.
        dim: the dim to reduce; all for None. A tensor in its place is `other`.
        keepdim: whether the reduced dim stays, with length 1.
        other: a tensor to compare with item by item, instead of a reduction; shapes broadcast.
        out: a tensor to write the result to; with `dim`, two of them.

    Returns:
        Without `dim`, the least item, without dims; its gradient is shared by equal items. With `dim`, the least items
        and their first indices, as `values` and `indices`. With `other`, what `minimum` gives.

    Raises:
        EmptyAxis: there are no items.
        IndexOutOfRange: input has no such dim.
        DTypeError: input is complex.

    >>> torch.min(torch.tensor([[1.0, 5.0], [4.0, 2.0]]), dim=0).indices
    tensor([0, 1])
    """
    if not isinstance(input, AnyTensor):
        check_tensors("min", input)
    if isinstance(dim, AnyTensor):
        other, dim = dim, None
    result: Tensor | return_types.min
    if other is not None:
        result = af.minimum(input, other)
    elif dim is None:
        result = _of_all("min", input)
    else:
        result = tuple.__new__(return_types.min, _along("min", input, dim, keepdim))
    return result if out is None else written("min", out, result, casts=not isinstance(result, tuple))


def _checked_axes(op: str, input: Tensor, dim: Dims) -> tuple[int, ...]:
    """The axes to reduce.

    Raises:
        EmptyAxis: one of them has no items.
    """
    shape = input.array.layout.shape
    axes = normalize_axes(dims_or_all(dim), len(shape), op)
    for axis in axes:
        if not shape[axis]:
            raise EmptyAxis(f"{op}(): Expected reduction dim {axis} to have non-zero size; got shape {shape}")
    return axes


@torch_function
def amax(input: Tensor, dim: Dims = (), keepdim: bool = False, *, out: Tensor | None = None) -> Tensor:
    """Find the greatest items over dims. Equal ones share the gradient; NaN wins.

    Args:
        input: real numbers.
        dim: the dim or dims to reduce; all for an empty tuple.
        keepdim: whether reduced dims stay, with length 1.
        out: a tensor to write the result to.

    Returns:
        The greatest items: input's shape without the reduced dims.

    Raises:
        EmptyAxis: a dim to reduce has no items.
        IndexOutOfRange: input has no such dim.

    >>> torch.amax(torch.tensor([[1.0, 5.0], [4.0, 2.0]]), dim=1)
    tensor([5., 4.])
    """
    result = af.max(input, _checked_axes("amax", input, dim), keepdim)
    return result if out is None else written("amax", out, result)


@torch_function
def amin(input: Tensor, dim: Dims = (), keepdim: bool = False, *, out: Tensor | None = None) -> Tensor:
    """Find the least items over dims. Equal ones share the gradient; NaN wins.

    Args:
        input: real numbers.
        dim: the dim or dims to reduce; all for an empty tuple.
        keepdim: whether reduced dims stay, with length 1.
        out: a tensor to write the result to.

    Returns:
        The least items: input's shape without the reduced dims.

    Raises:
        EmptyAxis: a dim to reduce has no items.
        IndexOutOfRange: input has no such dim.

    >>> torch.amin(torch.tensor([[1.0, 5.0], [4.0, 2.0]]), dim=1)
    tensor([1., 2.])
    """
    result = af.min(input, _checked_axes("amin", input, dim), keepdim)
    return result if out is None else written("amin", out, result)


@torch_function
def aminmax(
    input: Tensor, *, dim: int | None = None, keepdim: bool = False, out: Sequence[Tensor] | None = None
) -> return_types.aminmax:
    """Find the least and the greatest item along a dim. Equal ones share the gradient; NaN wins.

    Args:
        input: real numbers.
        dim: the dim to reduce; all for None.
        keepdim: whether reduced dims stay, with length 1.
        out: two tensors to write the results to.

    Returns:
        The least and the greatest items, as `min` and `max`: input's shape without the reduced dims.

    Raises:
        EmptyAxis: there are no items.
        IndexOutOfRange: input has no such dim.

    >>> least, greatest = torch.aminmax(torch.tensor([3.0, 1.0, 2.0]))
    >>> least, greatest
    (tensor(1.), tensor(3.))
    """
    axes = _checked_axes("aminmax", input, dim)
    result = return_types.aminmax(af.min(input, axes, keepdim), af.max(input, axes, keepdim))
    return result if out is None else written("aminmax", out, result)



@torch_function
def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False, *, out: Tensor | None = None) -> Tensor:
    """Find the index of the greatest item along a dim: the first of equal ones. NaN wins.

    Args:
        input: real numbers.
        dim: the dim to reduce; None for an index into the flattened input.
        keepdim: whether reduced dims stay, with length 1.
        out: a tensor to write the result to.

    Returns:
        The int64 indices: input's shape without the reduced dims.

    Raises:
        EmptyAxis: there are no items.
        IndexOutOfRange: input has no such dim.
        DTypeError: input is boolean or complex.

    >>> torch.argmax(torch.tensor([[1.0, 5.0], [4.0, 2.0]]), dim=1)
    tensor([1, 0])
    """
    array = input.array
    if array.flat.dtype.kind == "b":
        raise DTypeError("argmax(): does not support bool input; cast it to an integer dtype")
    result = tensor_of(reduced("argmax", array, None if dim is None else (dim,), keepdim, None))
    return result if out is None else written("argmax", out, result)


@torch_function
def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False, *, out: Tensor | None = None) -> Tensor:
    """Find the index of the least item along a dim: the first of equal ones. NaN wins.

    Args:
        input: real numbers.
        dim: the dim to reduce; None for an index into the flattened input.
        keepdim: whether reduced dims stay, with length 1.
        out: a tensor to write the result to.

    Returns:
        The int64 indices: input's shape without the reduced dims.

    Raises:
        EmptyAxis: there are no items.
        IndexOutOfRange: input has no such dim.
        DTypeError: input is boolean or complex.

    >>> torch.argmin(torch.tensor([[1.0, 5.0], [4.0, 2.0]]), dim=1)
    tensor([0, 1])
    """
    array = input.array
    if array.flat.dtype.kind == "b":
        raise DTypeError("argmin(): does not support bool input; cast it to an integer dtype")
    result = tensor_of(reduced("argmin", array, None if dim is None else (dim,), keepdim, None))
    return result if out is None else written("argmin", out, result)
