"""Special functions: the error, gamma and Bessel families, polynomials, and entropies."""

from . import closed_forms, derivations, ops, orthogonal
from .closed_forms import *
from .ops import *
from .orthogonal import *

__all__: list[str] = []
__all__ += ops.__all__
__all__ += closed_forms.__all__
__all__ += orthogonal.__all__
