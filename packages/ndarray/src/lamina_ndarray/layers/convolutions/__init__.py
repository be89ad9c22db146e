"""Convolution of (n, channels, *spatial) arrays, its two transposes, and the sliding windows that it is made of."""

from . import correlation, sliding
from .correlation import *
from .sliding import *

__all__ = [name for part in (correlation, sliding) for name in part.__all__]
