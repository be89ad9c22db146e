"""Convolution of (n, channels, *spatial) arrays, its two transposes, and the sliding windows that it is made of."""

from .correlation import convolution, convolution_input_gradient, convolution_weight_gradient
from .sliding import overlap_add, sliding_windows

__all__ = [
    "convolution", "convolution_input_gradient", "convolution_weight_gradient", "overlap_add", "sliding_windows",
]  # fmt: skip
