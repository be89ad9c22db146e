"""Linear algebra over stacks of matrices: the Array API's extension `linalg`, and what PyTorch has beyond it."""

from lamina_flatarray import LinAlgError

from . import factorizations, least_squares, matrix_functions, norms, products, solvers
from .factorizations import *
from .least_squares import *
from .matrix_functions import *
from .norms import *
from .products import *
from .solvers import *

__all__ = [name for part in (factorizations, least_squares, matrix_functions, norms, products, solvers) for name in part.__all__]
__all__ += ["LinAlgError"]
