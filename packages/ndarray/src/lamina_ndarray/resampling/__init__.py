"""Resampling: an axis at other points, as weighted sums of the items around them, and planes at any points."""

from . import interpolation, points
from .interpolation import *
from .points import *

__all__ = [name for part in (interpolation, points) for name in part.__all__]
