"""Items chosen by masks: one of two tensors', filled, read and replaced in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError
from lamina_ndarray.elementwise.dispatcher import holds
from lamina_ndarray.indexing.writable import fitted

from ...dispatch.byte_masks import masks_of_bytes
from ...dispatch.destinations import placed
from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor, tensor_of
from .nonzero import nonzero

if TYPE_CHECKING:
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = ["isin", "masked_fill", "masked_scatter", "masked_select", "where"]


@overload
def where(condition: Tensor) -> tuple[Tensor, ...]: ...
@overload
def where(condition: Tensor, input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor: ...
@overload
def where(condition: Tensor, *, self: Tensor | Number, other: Tensor | Number) -> Tensor: ...
@torch_function(strict=True)
def where(
    condition: Tensor, input: Tensor | Number | None = None, other: Tensor | Number | None = None, *,
    out: Tensor | None = None, self: Tensor | Number | None = None,
) -> Tensor | tuple[Tensor, ...]:  # fmt: skip
    """Choose items of one of two tensors; or, with a condition alone, tell where it holds.

    Args:
        condition: a boolean tensor; of uint8 it is taken for one, with a warning.
        input: the items where it holds; all broadcast together.
        other: the items where it does not.
        out: where to write the result.
        self: another name of `input`.

    Returns:
        The chosen items, or `out`. With a condition alone, one vector of indices for each dim, as `nonzero(as_tuple=True)` gives.

    Raises:
        ShapeError: the shapes do not broadcast.
        DTypeError: the condition is not boolean.
        ArgumentTypeError: only one of `input` and `other` is given.

    >>> x = torch.tensor([-1.0, 2.0])
    >>> torch.where(x > 0, x, 0.0)
    tensor([0., 2.])
    >>> torch.where(x > 0)
    (tensor([1]),)
    """
    if input is None:
        input = self
    if input is None or other is None:
        if input is None and other is None:
            return nonzero(condition, as_tuple=True)
        raise ArgumentTypeError("where(): either both of input and other are wanted, or neither of them")
    if condition.array.flat.dtype is nd.uint8:
        condition = tensor_of(masks_of_bytes(condition.array, "where: a condition"))
    result = af.where(condition, input, other)
    return result if out is None else written("where", out, result)


@torch_function
def masked_fill(input: Tensor, mask: Tensor, value: Tensor | Number) -> Tensor:
    """Fill the items where a mask holds with one value.

    Args:
        input: the tensor.
        mask: a boolean tensor; both broadcast together.
        value: a number, or a tensor without dims.

    Returns:
        A copy of `input` with these items filled.

    Raises:
        ShapeError: the shapes do not broadcast, or the value has dims.
        DTypeError: the mask is not boolean, or the dtype cannot hold the value.

    >>> x = torch.tensor([1, 2, 3])
    >>> torch.masked_fill(x, x > 1, 0)
    tensor([1, 0, 0])
    """
    if isinstance(mask, AnyTensor) and mask.array.flat.dtype is nd.bool:
        dtype = input.array.flat.dtype
        if (value.__class__ is float and dtype.is_inexact) or holds(dtype, value):
            value = fitted("masked_fill", value, dtype)
            return af.contiguous(af.where(mask, value, input))  # as in PyTorch, whatever order the input lies in
        if isinstance(value, AnyTensor) and value.array.flat.dtype is dtype and not value.array.layout.ndim:
            return af.contiguous(af.where(mask, value, input))
    return af.masked_fill(input, mask, value)


@torch_function
def masked_select(input: Tensor, mask: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Read the items where a mask holds.

    Args:
        input: the tensor.
        mask: a boolean tensor; both broadcast together.
        out: where to write the result.

    Returns:
        A vector of the items in row-major order, or `out`.

    Raises:
        ShapeError: the shapes do not broadcast.
        DTypeError: the mask is not boolean.

    >>> x = torch.tensor([[1, 2], [3, 4]])
    >>> torch.masked_select(x, x > 1)
    tensor([2, 3, 4])
    """
    result = af.masked_select(input, mask)
    return result if out is None else placed("masked_select", out, result, (input, mask))


@torch_function
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """Replace the items where a mask holds by those of another tensor, both in row-major order.

    Args:
        input: the tensor.
        mask: a boolean tensor; both broadcast together.
        source: the items, of input's dtype: at least as many as the mask holds.

    Returns:
        A copy of `input` with these items.

    Raises:
        ShapeError: the shapes do not broadcast, or there are too few items.
        DTypeError: the mask is not boolean, or the dtypes differ.

    >>> x = torch.tensor([1, 2, 3])
    >>> torch.masked_scatter(x, x > 1, torch.tensor([8, 9]))
    tensor([1, 8, 9])
    """
    return af.masked_scatter(input, mask, source)


@overload
def isin(
    elements: Tensor | Number, test_elements: Tensor | Number, *, assume_unique: bool = False, invert: bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def isin(
    *, element: Number, test_elements: Tensor, assume_unique: bool = False, invert: bool = False, out: Tensor | None = None
) -> Tensor: ...
@overload
def isin(
    elements: Tensor, *, test_element: Number, assume_unique: bool = False, invert: bool = False, out: Tensor | None = None
) -> Tensor: ...
@torch_function
def isin(
    elements: Tensor | Number | None = None, test_elements: Tensor | Number | None = None, *, assume_unique: bool = False,
    invert: bool = False, out: Tensor | None = None, element: Number | None = None, test_element: Number | None = None,
) -> Tensor:  # fmt: skip
    """Tell for each item whether it is one of a set.

    Args:
        elements: the items: a tensor or a number.
        test_elements: the set: a tensor or a number; they are not both numbers.
        assume_unique: accepted; nothing is gained by it.
        invert: whether to tell the opposite.
        out: where to write the result.
        element: another name of `elements` for a number.
        test_element: another name of `test_elements` for a number.

    Returns:
        A boolean tensor of the items' shape, or `out`.

    Raises:
        ArgumentTypeError: neither is a tensor.

    >>> torch.isin(torch.tensor([1, 2, 3]), torch.tensor([3, 1]))
    tensor([ True, False,  True])
    """
    items, tests = element if elements is None else elements, test_element if test_elements is None else test_elements
    if not isinstance(items, AnyTensor) and not isinstance(tests, AnyTensor):
        raise ArgumentTypeError(f"isin(): {type(items).__name__} and {type(tests).__name__} given; at least one must be a Tensor")
    result = af.isin(items, tests, assume_unique=assume_unique, invert=invert)
    return result if out is None else written("isin", out, result)
