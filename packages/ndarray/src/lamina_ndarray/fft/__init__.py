"""Discrete Fourier transforms over one axis or several."""

from . import frequencies, one_axis, several_axes
from .frequencies import *
from .one_axis import *
from .several_axes import *

__all__ = [name for part in (frequencies, one_axis, several_axes) for name in part.__all__]
