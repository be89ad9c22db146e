"""Distances and similarities between vectors."""

from __future__ import annotations

import lamina_tensor as lt
from lamina_flatarray import ShapeError, UsageError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions.layers.distances import cosine_similarity

__all__ = ["cosine_similarity", "pairwise_distance", "pdist"]


@torch_function
def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    """Take the p-norm of x1 - x2 + eps along the last dim.

    Args:
        x1, x2: vectors along the last dim; shapes broadcast.
        p: the norm's exponent.
        eps: added to the difference, against division by 0 in the gradient.
        keepdim: whether the last dim stays, with length 1.

    Returns:
        The distances: the broadcast shape without its last dim, or with length 1 there.

    >>> torch.nn.functional.pairwise_distance(torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 4.0]]))
    tensor([5.0000])
    """
    return lt.norm(x1 - x2 + eps, p, max(x1.ndim, x2.ndim) - 1, keepdim=keepdim)


@torch_function
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """Take the p-norm of the difference of every two rows.

    Args:
        input: (N, M).
        p: the norm's exponent.

    Returns:
        (N * (N - 1) / 2,): the pairs (0, 1), (0, 2), ... in order.

    Raises:
        ShapeError: the input is no matrix.
        UsageError: p is negative.

    >>> torch.nn.functional.pdist(torch.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]]))
    tensor([5.0000, 1.0000, 4.2426])
    """
    shape = input.shape
    if len(shape) != 2:
        raise ShapeError(f"pdist only supports 2D tensors, got: {len(shape)}D")
    if p < 0:
        raise UsageError("pdist only supports non-negative p values")
    if shape[0] < 2:
        return af.copy(lt.flatten(input)[:0])  # of no pairs
    rows, columns = lt.triu_indices(shape[0], shape[0], 1, device=input.device)
    return lt.norm(input[rows] - input[columns], p, 1)
