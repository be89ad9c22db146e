"""Resampling: an axis at other points, as weighted sums of the items around them, and planes at any points."""

from . import interpolation, points, weighting
from .interpolation import *
from .points import *
from .weighting import *

__all__ = [name for part in (interpolation, points, weighting) for name in part.__all__]
