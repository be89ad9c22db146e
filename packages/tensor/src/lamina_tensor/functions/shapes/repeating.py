"""Tensors made larger by their own items, repeated, or by a margin of one value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...methods.shapes.sizes import int_tuple

if TYPE_CHECKING:
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = ["constant_pad_nd", "repeat_interleave", "tile"]


@torch_function
def tile(input: Tensor, dims: Sequence[int]) -> Tensor:
    """Repeat a whole tensor along its dims.

    Args:
        input: the tensor.
        dims: how many times along each dim. Where there are fewer numbers than dims, ones are added in front; where there are
            more, dims of length 1 are added to the tensor in front.

    Returns:
        A copy.

    Raises:
        ShapeError: a number is negative.

    >>> torch.tile(torch.tensor([1, 2]), (2, 2))
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """
    return af.tile(input, dims if dims.__class__ is tuple else int_tuple("tile", "dims", dims))


@overload
def repeat_interleave(input: Tensor, *, output_size: int | None = None) -> Tensor: ...
@overload
def repeat_interleave(input: Tensor, repeats: int | Tensor, dim: int | None = None, *, output_size: int | None = None) -> Tensor: ...
@overload
def repeat_interleave(*, repeats: Tensor, output_size: int | None = None) -> Tensor: ...
@torch_function
def repeat_interleave(
    input: Tensor | None = None, repeats: int | Tensor | None = None, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Repeat each item of a dim, one after another.

    Args:
        input: the items. A vector of integers without `repeats` is taken for these: index i is repeated as often as it says.
        repeats: how many times: one number, or a vector of integers with one for each item.
        dim: the dim; None for that of the flattened tensor.
        output_size: the length of the result along the dim, where it is known; it is checked.

    Returns:
        A tensor of the shape of `input` but for `dim`.

    Raises:
        ShapeError: a number is negative, or there are not as many as items.
        DTypeError: the numbers are not integers.
        IndexOutOfRange: there is no such dim.

    >>> torch.repeat_interleave(torch.tensor([7, 8, 9]), torch.tensor([1, 0, 2]))
    tensor([7, 9, 9])
    """
    if input is None:
        input, repeats = repeats, None  # type: ignore[assignment]
    return af.repeat_interleave(input, repeats, dim, output_size=output_size)


@torch_function
def constant_pad_nd(input: Tensor, pad: Sequence[int], value: Number = 0) -> Tensor:
    """Pad a tensor with one value.

    Args:
        input: the tensor.
        pad: how many items to add before and after, in pairs, from the last dim backwards; negative numbers cut off.
        value: what to pad with.

    Returns:
        A copy.

    Raises:
        ShapeError: the numbers are not pairs, are too many, or cut off more than there is.
        DTypeError: the dtype cannot hold the value.

    >>> torch.constant_pad_nd(torch.tensor([[1, 2]]), (1, 0, 0, 1), 9)
    tensor([[9, 1, 2],
            [9, 9, 9]])
    """
    return af.constant_pad(input, pad, value)
