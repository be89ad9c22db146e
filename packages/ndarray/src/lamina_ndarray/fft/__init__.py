"""Discrete Fourier transforms over one axis or several."""

from .frequencies import *
from .one_axis import *
from .several_axes import *
