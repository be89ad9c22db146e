"""Items that change places within the same shape or its transpose: flipped, turned and rolled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import lamina_ndarray as nd
from lamina_ndarray.array_fields import view_of

from ...autograd.recording import recorded
from ...autograd.rules import RULES
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...methods.shapes.sizes import int_tuple
from ...tensor_fields import tensor_of

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["flip", "fliplr", "flipud", "roll", "rot90"]


@torch_function
def flip(input: Tensor, dims: Sequence[int]) -> Tensor:
    """Reverse the order of the items along dims.

    Args:
        input: the tensor.
        dims: the dims.

    Returns:
        A copy.

    Raises:
        ShapeError: a dim is named twice.
        IndexOutOfRange: there is no such dim.

    >>> torch.flip(torch.tensor([[1, 2], [3, 4]]), (0,))
    tensor([[3, 4],
            [1, 2]])
    """
    array, along = input.array, dims if dims.__class__ is tuple else int_tuple("flip", "dims", dims)
    flipped = nd.copy(view_of(array, array.layout.flip(along)))
    return recorded(RULES["flip"], flipped, (input,), axes=along) if input.requires_grad else tensor_of(flipped)


@torch_function
def fliplr(input: Tensor) -> Tensor:
    """Reverse the order of the items along the second dim: left and right of a matrix.

    Args:
        input: a tensor of at least two dims.

    Returns:
        A copy.

    Raises:
        ShapeError: there are fewer than two dims.

    >>> torch.fliplr(torch.tensor([[1, 2], [3, 4]]))
    tensor([[2, 1],
            [4, 3]])
    """
    return af.fliplr(input)


@torch_function
def flipud(input: Tensor) -> Tensor:
    """Reverse the order of the items along the first dim: up and down of a matrix.

    Args:
        input: a tensor of at least one dim.

    Returns:
        A copy.

    Raises:
        ShapeError: there are no dims.

    >>> torch.flipud(torch.tensor([[1, 2], [3, 4]]))
    tensor([[3, 4],
            [1, 2]])
    """
    return af.flipud(input)


@torch_function
def rot90(input: Tensor, k: int = 1, dims: Sequence[int] = (0, 1)) -> Tensor:
    """Turn a tensor by 90 degrees in the plane of two dims.

    Args:
        input: a tensor of at least two dims.
        k: how many times to turn it, from the first dim towards the second; a negative number turns it the other way.
        dims: the two dims.

    Returns:
        A copy.

    Raises:
        ShapeError: there are fewer than two dims, or `dims` are not two different ones.
        IndexOutOfRange: there is no such dim.

    >>> torch.rot90(torch.tensor([[1, 2], [3, 4]]))
    tensor([[2, 4],
            [1, 3]])
    """
    return af.rot90(input, k, dims)


@torch_function
def roll(input: Tensor, shifts: int | Sequence[int], dims: int | Sequence[int] | None = ()) -> Tensor:
    """Shift items along dims; those that leave at one end come in at the other.

    Args:
        input: the tensor.
        shifts: by how many indices, for each of the dims.
        dims: the dims; without any, the items are shifted in row-major order.

    Returns:
        A copy.

    Raises:
        ShapeError: there are not as many shifts as dims.
        IndexOutOfRange: there is no such dim.

    >>> torch.roll(torch.tensor([1, 2, 3, 4]), 1)
    tensor([4, 1, 2, 3])
    """
    return af.roll(input, shifts, () if dims is None else dims)
