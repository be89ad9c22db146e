"""Pooling of (n, channels, *spatial) arrays: one number per window."""

from . import windowed
from .windowed import *

__all__ = [*windowed.__all__]
