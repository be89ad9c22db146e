"""Items rounded to blocks of Q8_0: 32 integers of 8 bits and their scale, as `quantize_row_q8_0_ref` of ggml rounds them.

The scale is the greatest of the 32 over 127. The integers come from the scale before it is rounded to float16; halves go away from 0
(https://github.com/ggml-org/ggml, src/ggml-quants.c).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lamina_flatarray import CheckpointError

from .small_blocks import SMALL_BLOCKS

__all__ = ["q8_0"]


def q8_0(items: NDArray[np.float32], name: str) -> NDArray[Any]:
    """Round the items of whole blocks.

    Args:
        items: a multiple of 32.
        name: of the tensor, for the error.

    Returns:
        The blocks: (n / 32,).

    Raises:
        CheckpointError: an item is infinite or NaN, or so large that its scale is no float16.
    """
    rows = items.reshape(-1, 32)
    most = np.abs(rows).max(1, keepdims=True)
    scales = most / np.float32(127)
    blocks: NDArray[Any] = np.empty(len(rows), SMALL_BLOCKS["Q8_0"])
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        blocks["d"] = scales[:, 0]
        if not np.isfinite(blocks["d"]).all():
            raise CheckpointError(f"save_gguf: {name} has items that are infinite, NaN or beyond 65504 * 127, which Q8_0 does not hold")
        scaled = rows * np.where(scales == 0, np.float32(0), np.float32(1) / scales)
    magnitudes = np.abs(scaled)
    whole = np.floor(magnitudes)
    blocks["q"] = np.copysign(whole + (magnitudes - whole >= 0.5), scaled)
    return blocks
