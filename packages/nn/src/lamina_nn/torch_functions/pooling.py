"""Maxima over bins, with their indices, as `torch.adaptive_max_pool1d`."""

from __future__ import annotations

from typing import Any

from lamina_tensor import Tensor
from lamina_tensor.dispatch.torch_function import torch_function

from .. import functional as F


@torch_function
def adaptive_max_pool1d(input: Tensor, output_size: Any) -> tuple[Tensor, Tensor]:
    """Take maxima over bins of nearly equal length, and their indices.

    Args:
        input: (N, C, L), or (C, L).
        output_size: the number of bins.

    Returns:
        Two tensors (N, C, output_size), or without N: the maxima, and their int64 indices along L.

    >>> torch.adaptive_max_pool1d(torch.tensor([[1.0, 3.0, 2.0, 0.0]]), 2)
    (tensor([[3., 2.]]), tensor([[1, 2]]))
    """
    return F.adaptive_max_pool1d(input, output_size, return_indices=True)
