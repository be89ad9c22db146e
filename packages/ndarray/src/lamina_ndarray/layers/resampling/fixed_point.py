"""Weights as whole numbers of 16 bits, by which uint8 pictures are resized: as PyTorch does it, after Pillow.

PyTorch: `aten/src/ATen/native/cpu/UpSampleKernel.cpp`, the weights of int16. The greatest weight decides by which power of two all of
them are multiplied; sums are rounded once, half up, and kept from 0 to 255.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

__all__ = ["in_fixed_point"]

Values = np.ndarray[Any, Any]
_PRECISION: Final = 22
"""More bits than this behind the point PyTorch does not take."""


def _merged(places: Values, weights: Values) -> tuple[Values, Values]:
    """Each place once: at borders several terms are of the same item, and their weights are rounded together."""
    first = places[:, :1]
    width = int((places - first).max(initial=0)) + 1
    summed = np.zeros((len(places), width))
    rows = np.broadcast_to(np.arange(len(places))[:, None], places.shape)
    np.add.at(summed, (rows, places - first), weights)
    return first + np.arange(width), summed


def in_fixed_point(places: Values, weights: Values, length: int) -> tuple[Values, Values, int]:
    """A table of weights as whole numbers.

    Args:
        places: (count, terms): the items of each new one, in ascending order.
        weights: of the same shape; those of terms that do not count are 0.
        length: how many items there are.

    Returns:
        Places; weights, whole numbers as float64; and how many bits of them stand behind the point.
    """
    places, weights = _merged(places, weights)
    greatest = weights.max(initial=0.0)
    bits = 0
    while bits < _PRECISION and int(0.5 + greatest * (1 << (bits + 1))) < 1 << 15:
        bits += 1
    scaled = weights * (1 << bits)
    return np.minimum(places, length - 1), np.trunc(scaled + np.where(weights < 0, -0.5, 0.5)), bits
