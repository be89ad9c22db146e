"""Class indices as rows with a 1 at the class."""

from __future__ import annotations

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_flatarray import ShapeError
from lamina_tensor import Tensor

__all__ = ["one_hot"]


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """int64 rows with a 1 at each index.

    Raises:
        ShapeError: an index is negative or not below `num_classes`.
    """
    count = int(tensor.max().item()) + 1 if num_classes < 0 else num_classes
    if tensor.array.layout.size and not 0 <= int(tensor.min().item()) <= int(tensor.max().item()) < count:
        raise ShapeError(f"one_hot: class values must be non-negative and smaller than num_classes {count}")
    return lt.Tensor(nd.astype(nd.one_hot_positions(tensor.array, count), nd.int64))
