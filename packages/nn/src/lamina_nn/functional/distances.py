"""Distances and similarities between vectors."""

from __future__ import annotations

import lamina_tensor as lt
from lamina_flatarray import ShapeError, UsageError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions.distances import cosine_similarity

__all__ = ["cosine_similarity", "pairwise_distance", "pdist"]


@torch_function
def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    """The p-norm of x1 - x2 + eps along the last dim."""
    return lt.norm(x1 - x2 + eps, p, max(x1.ndim, x2.ndim) - 1, keepdim=keepdim)


@torch_function
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm of the difference of every two rows, (N, M) to (N * (N - 1) / 2,), pairs in order.

    Raises:
        RuntimeError: the input is no matrix, or p is negative.
    """
    if input.ndim != 2:
        raise ShapeError(f"pdist only supports 2D tensors, got: {input.ndim}D")
    if p < 0:
        raise UsageError("pdist only supports non-negative p values")
    rows, columns = lt.triu_indices(input.shape[0], input.shape[0], 1, device=input.device)
    return lt.norm(input[rows] - input[columns], p, 1)
