"""Items and slices read at indices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_ndarray.indexing.gathering import picked_along

from ...dispatch.destinations import placed
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["gather", "index_select", "take", "take_along_dim"]


@torch_function
def gather(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False, out: Tensor | None = None) -> Tensor:
    """Pick items along a dim: for dim 0, `out[i, j] = input[index[i, j], j]`.

    Args:
        input: the items.
        dim: the dim that the indices count along.
        index: integers, of as many dims as `input`, and no longer than it in the other dims.
        sparse_grad: accepted; the gradient is always dense.
        out: where to write the result.

    Returns:
        A tensor of index's shape, or `out`.

    Raises:
        IndexOutOfRange: an index lies outside of the dim, or there is no such dim.
        ShapeError: `index` is longer than `input` in another dim, or has another number of dims.
        DTypeError: the indices are not integers.

    >>> torch.gather(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([[0, 0], [1, 0]]))
    tensor([[1, 1],
            [4, 3]])
    """
    result = af.gather(input, index, dim)
    return result if out is None else placed("gather", out, result, (input, index))


@torch_function
def index_select(input: Tensor, dim: int, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Pick slices of a dim.

    Args:
        input: the tensor.
        dim: the dim.
        index: the indices of the slices: a vector of integers.
        out: where to write the result.

    Returns:
        The slices in the order of `index`, or `out`.

    Raises:
        IndexOutOfRange: an index lies outside of the dim, `index` is not a vector, or there is no such dim.
        DTypeError: the indices are not integers.

    >>> torch.index_select(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([1]))
    tensor([[2],
            [4]])
    """
    result = af.index_select(input, dim, index)
    return result if out is None else placed("index_select", out, result, (input, index))


@torch_function
def take(input: Tensor, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Pick items by their index in row-major order.

    Args:
        input: the items, of any shape.
        index: integers, of any shape.
        out: where to write the result.

    Returns:
        A tensor of index's shape, or `out`.

    Raises:
        IndexOutOfRange: an index lies outside.
        DTypeError: the indices are not integers.

    >>> torch.take(torch.tensor([[4, 5], [6, 7]]), torch.tensor([0, 3]))
    tensor([4, 7])
    """
    result = af.take(input, index)
    return result if out is None else placed("take", out, result, (input, index))


@torch_function
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None, *, out: Tensor | None = None) -> Tensor:
    """Pick items along a dim as `gather` does, the other dims broadcast together.

    Args:
        input: the items.
        indices: integers, of as many dims as `input`.
        dim: the dim that the indices count along; None for that of the flattened tensors.
        out: where to write the result.

    Returns:
        A tensor whose length along the dim is that of `indices`, or `out`.

    Raises:
        IndexOutOfRange: an index lies outside of the dim, or there is no such dim.
        ShapeError: the other dims do not broadcast, the numbers of dims differ, or no view flattens the tensors.
        DTypeError: the indices are not integers.

    >>> x = torch.tensor([[3, 1, 2]])
    >>> torch.take_along_dim(x, torch.argsort(x), dim=1)
    tensor([[1, 2, 3]])
    """
    if dim is None:
        input, indices = input.view(-1), indices.view(-1)
    result = picked_along("take_along_dim", input, indices, dim)
    return result if out is None else placed("take_along_dim", out, result, (input, indices))
