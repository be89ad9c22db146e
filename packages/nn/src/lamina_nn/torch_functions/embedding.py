"""Rows of a table, as `torch.embedding`: the table comes first."""

from __future__ import annotations

from lamina_tensor import Tensor
from lamina_tensor.dispatch.torch_function import torch_function

from .. import functional as F


@torch_function
def embedding(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Tensor:
    """Look up rows of a table: weight[indices].

    Args:
        weight: the table, (rows, columns).
        indices: int32 or int64, of any shape.
        padding_idx: an index whose row gets no gradient; -1 for none.
        scale_grad_by_freq: whether a row's gradient is divided by the number of times that its index occurs.
        sparse: see `functional.embedding`.

    Returns:
        (*shape, columns).

    >>> torch.embedding(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([1, 0]))
    tensor([[3., 4.],
            [1., 2.]])
    """
    padding = None if padding_idx == -1 else padding_idx
    return F.embedding(indices, weight, padding, scale_grad_by_freq=scale_grad_by_freq, sparse=sparse)
