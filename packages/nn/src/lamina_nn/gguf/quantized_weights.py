"""Blocks of integers as a weight of few bits, which the layers of `quantization` multiply by as it is."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lamina_flatarray import FlatArray
from lamina_ndarray import NDArray as Array
from lamina_ndarray.layouts.layout import Layout
from lamina_tensor import Tensor

from ..quantization import QuantizedWeight
from .small_blocks import parts_of

__all__ = ["GROUP", "INTEGER_TYPES", "weight_of"]

INTEGER_TYPES: Final = ("Q4_0", "Q4_1", "Q8_0")
"""The types whose integers are handed out."""

GROUP: Final = 32
"""How many items of them have one scale."""


def weight_of(name: str, blocks: NDArray[Any], shape: tuple[int, int], device: Any) -> QuantizedWeight:
    """Take the blocks of a matrix apart.

    Args:
        name: their type, one of `INTEGER_TYPES`.
        blocks: (n,), of the type's dtype.
        shape: of the matrix.
        device: where the parts are put.
    """
    rows, length = shape
    q, d, m = parts_of(name, blocks)
    of_groups = rows, length // GROUP

    def tensor(items: NDArray[Any], shape: tuple[int, int]) -> Tensor:
        own = np.array(items) if np.may_share_memory(items, blocks) else items
        return Tensor(Array(FlatArray.from_buffer(own.reshape(-1)), Layout.dense(shape)).to_device(device))

    if name == "Q8_0":
        return QuantizedWeight(tensor(q, shape), tensor(d, of_groups), group_size=GROUP)
    if m is None:  # from -8 to 7, and 0 to 15 in a weight without zero points
        return QuantizedWeight(tensor(_pairs(q + np.int8(8)), (rows, length // 2)), tensor(d, of_groups), bits=4, group_size=GROUP)
    offsets, alone = m.astype(np.float32), d == 0  # then all items are the offset, whatever the integers are
    scales = np.where(alone, np.where(offsets == 0, np.float32(1), np.abs(offsets)), d.astype(np.float32))
    with np.errstate(over="ignore", invalid="ignore"):  # infinite scales are the file's own affair
        zero_points = -offsets / scales
    values = _pairs(np.where(alone[:, None], np.int8(0), q))
    return QuantizedWeight(
        tensor(values, (rows, length // 2)), tensor(scales, of_groups), tensor(zero_points, of_groups), bits=4, group_size=GROUP
    )


def _pairs(items: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Two items to a byte, the first in the lower bits."""
    numbers = items.view(np.uint8)
    return numbers[:, 0::2] | numbers[:, 1::2] << np.uint8(4)
