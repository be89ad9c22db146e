"""Rows of items chosen from vectors: all combinations of one, all tuples of several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["cartesian_prod", "combinations"]


@torch_function
def cartesian_prod(*tensors: Tensor) -> Tensor:
    """Return all tuples of one item from each vector.

    Args:
        tensors: vectors of one dtype.

    Returns:
        A matrix with a tuple in each row, the last item changing fastest; a single vector itself.

    Raises:
        ShapeError: there are no tensors, or one is not a vector.
        DTypeError: the dtypes differ.

    >>> torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor([[1, 3],
            [1, 4],
            [2, 3],
            [2, 4]])
    """
    return af.cartesian_prod(*tensors)


@torch_function
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """Return all combinations of r items of a vector.

    Args:
        input: the vector.
        r: how many items.
        with_replacement: whether an item may come several times.

    Returns:
        A matrix with a combination in each row, in the order of the vector.

    Raises:
        ShapeError: `input` is not a vector, or r is negative.

    >>> torch.combinations(torch.tensor([1, 2, 3]))
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    """
    return af.combinations(input, r, with_replacement)
