"""The indices of items that are not zero, and indices of one kind as those of another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, overload

import lamina_ndarray as nd
from lamina_ndarray.indexing import masking

from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import tensor_of

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["argwhere", "nonzero", "nonzero_static", "unravel_index"]


@overload
def nonzero(input: Tensor, *, as_tuple: Literal[False] = False, out: Tensor | None = None) -> Tensor: ...
@overload
def nonzero(input: Tensor, *, as_tuple: Literal[True]) -> tuple[Tensor, ...]: ...
@torch_function
def nonzero(input: Tensor, *, as_tuple: bool = False, out: Tensor | None = None) -> Tensor | tuple[Tensor, ...]:
    """Return the indices of all items that are not zero.

    Args:
        input: the tensor.
        as_tuple: whether to return a vector for each dim, which together are an index of `input`.
        out: where to write the result.

    Returns:
        An int64 matrix with the indices of one item in each row, in row-major order, or `out`; or the tuple.

    >>> torch.nonzero(torch.tensor([[1, 0], [0, 2]]))
    tensor([[0, 0],
            [1, 1]])
    >>> torch.nonzero(torch.tensor([[1, 0], [0, 2]]), as_tuple=True)
    (tensor([0, 1]), tensor([0, 1]))
    """
    array = input.array
    if as_tuple:
        return tuple(map(tensor_of, nd.nonzero(array if array.layout.ndim else nd.atleast_1d(array))))
    result = tensor_of(nd.argwhere(array))
    return result if out is None else written("nonzero", out, result)


@torch_function
def argwhere(input: Tensor) -> Tensor:
    """Return the indices of all items that are not zero: NumPy's name of `nonzero`.

    Args:
        input: the tensor.

    Returns:
        An int64 matrix with the indices of one item in each row, in row-major order.

    >>> torch.argwhere(torch.tensor([[1, 0], [0, 2]]))
    tensor([[0, 0],
            [1, 1]])
    """
    return tensor_of(nd.argwhere(input.array))


@torch_function
def nonzero_static(input: Tensor, *, size: int, fill_value: int = -1, out: Tensor | None = None) -> Tensor:
    """Return the indices of the items that are not zero, in a number of rows that does not depend on them.

    Args:
        input: the tensor.
        size: how many rows; indices beyond them are left out.
        fill_value: what to fill rows with for which there are no items.
        out: where to write the result.

    Returns:
        An int64 matrix of `size` rows, or `out`.

    Raises:
        ShapeError: `size` is negative.

    >>> torch.nonzero_static(torch.tensor([0, 3, 4]), size=3)
    tensor([[ 1],
            [ 2],
            [-1]])
    """
    result = tensor_of(masking.nonzero_static(input.array, size=size, fill_value=fill_value))
    return result if out is None else written("nonzero_static", out, result)


@torch_function
def unravel_index(indices: Tensor, shape: int | Sequence[int]) -> tuple[Tensor, ...]:
    """Turn indices in row-major order into indices of each dim.

    Args:
        indices: integers, of any shape.
        shape: of the tensor that they are indices of; an integer is the length of a vector.

    Returns:
        An int64 tensor for each dim, of the shape of `indices`.

    Raises:
        DTypeError: the indices are not integers.
        ShapeError: a length is negative.

    >>> torch.unravel_index(torch.tensor([0, 5]), (2, 3))
    (tensor([0, 1]), tensor([0, 2]))
    """
    return af.unravel_index(indices, shape)
