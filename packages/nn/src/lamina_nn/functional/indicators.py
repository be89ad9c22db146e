"""Class indices as rows with a 1 at the class."""

from __future__ import annotations

import lamina_ndarray as nd
from lamina_flatarray import IndexOutOfRange, UsageError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.tensor_fields import tensor_of

from .checking import check_tensor

__all__ = ["one_hot"]


@torch_function
def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Turn class indices into rows with a 1 at the class.

    Args:
        tensor: int64 indices of any shape.
        num_classes: the number of classes; -1 for the greatest index plus 1.

    Returns:
        int64, (*tensor.shape, num_classes).

    Raises:
        UsageError: an index is negative or not below `num_classes`.

    >>> torch.nn.functional.one_hot(torch.tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """
    check_tensor("one_hot", tensor)
    indices = tensor.array
    count = int(nd.max(indices).item()) + 1 if num_classes < 0 else num_classes
    result = nd.zeros((*indices.layout.shape, count), dtype=nd.int64, device=indices.device)
    if indices.layout.size and indices.flat.backend.holds_items:
        try:
            if not indices.flat.backend.late_errors and int(nd.min(indices).item()) < 0:
                raise IndexOutOfRange("one_hot")
            nd.scatter(result, nd.unsqueeze(indices, -1), 1, -1, out=result)
        except IndexOutOfRange:
            raise UsageError(f"one_hot: class values must be non-negative and smaller than num_classes {count}") from None
    return tensor_of(result)
