"""Pooling of (n, channels, *spatial) arrays: one number per window."""

from .windowed import *
from .windowed import __all__
