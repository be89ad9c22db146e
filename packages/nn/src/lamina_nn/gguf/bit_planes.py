"""Numbers of few bits, which blocks keep several to a byte."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["unpacked"]


def unpacked(packed: NDArray[np.uint8], bits: int, run: int) -> NDArray[np.uint8]:
    """Take bytes apart. Of each run of bytes come the lowest bits of all of them, then the next bits of all, and so on.

    Args:
        packed: (n, bytes).
        bits: of a number: 1, 2 or 4.
        run: how many bytes a run has.

    Returns:
        (n, bytes * 8 / bits).
    """
    shifts = np.arange(0, 8, bits, dtype=np.uint8)[:, None]
    planes: NDArray[np.uint8] = packed.reshape(len(packed), -1, 1, run) >> shifts
    planes &= np.uint8((1 << bits) - 1)
    return planes.reshape(len(packed), -1)
