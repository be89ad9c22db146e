"""The integers of a quantized tensor, and the scales of its groups, as tensors."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lamina_flatarray import FlatArray
from lamina_ndarray import NDArray as Array
from lamina_ndarray.layouts.layout import Layout
from lamina_tensor import Tensor

from .small_blocks import parts_of

__all__ = ["INTEGER_TYPES", "QuantizedGroups", "groups_of"]

INTEGER_TYPES: Final = ("Q4_0", "Q4_1", "Q8_0")
"""The types whose integers are handed out."""


class QuantizedGroups(NamedTuple):
    """Hold a quantized tensor without a rounding: item i of row r is `scales[r, i // 32] * values[r, i]`, plus
    `minima[r, i // 32]` where there are minima.

    Attributes:
        values: (..., k), int8: of Q8_0 from -128 to 127, of Q4_0 from -8 to 7, of Q4_1 from 0 to 15.
        scales: (..., k / 32), float16 as in the file.
        minima: (..., k / 32), float16 as in the file, of Q4_1; None of the others.

    >>> groups = torch.gguf.QuantizedGroups(torch.tensor([[1, -2] * 16], dtype=torch.int8), torch.tensor([[0.5]]), None)
    >>> (groups.values.view(1, 1, 32) * groups.scales[..., None])[0, 0, :4]
    tensor([ 0.5000, -1.0000,  0.5000, -1.0000])
    """

    values: Tensor
    scales: Tensor
    minima: Tensor | None


def groups_of(name: str, blocks: NDArray[Any], shape: tuple[int, ...], device: Any) -> QuantizedGroups:
    """Take the blocks of a tensor apart.

    Args:
        name: their type, one of `INTEGER_TYPES`.
        blocks: (n,), of the type's dtype.
        shape: of the tensor.
        device: where the parts are put.
    """
    q, d, m = parts_of(name, blocks)
    of_groups = (*shape[:-1], shape[-1] // 32)

    def tensor(items: NDArray[Any], shape: tuple[int, ...]) -> Tensor:
        own = np.array(items) if np.may_share_memory(items, blocks) else items
        return Tensor(Array(FlatArray.from_buffer(own.reshape(-1)), Layout.dense(shape)).to_device(device))

    return QuantizedGroups(tensor(q, shape), tensor(d, of_groups), None if m is None else tensor(m, of_groups))
