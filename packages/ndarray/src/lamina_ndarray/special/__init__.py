"""Special functions: the error, gamma and Bessel families, polynomials, and entropies."""

from . import bessel, error_functions, gamma, incomplete_gamma, logarithmic, ops, orthogonal
from .bessel import spherical_bessel_j0
from .error_functions import ndtr
from .gamma import multigammaln
from .logarithmic import *
from .ops import *
from .orthogonal import *

__all__ = ["multigammaln", "ndtr", "spherical_bessel_j0"]
__all__ += ops.__all__
__all__ += logarithmic.__all__
__all__ += orthogonal.__all__
