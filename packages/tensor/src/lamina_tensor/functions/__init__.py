"""The functions of tensors whose PyTorch signature is more than a renaming of ours, by family."""

from . import arithmetic, linalg, positions, products, reductions, shapes
from .arithmetic import *
from .linalg import *
from .positions import *
from .products import *
from .reductions import *
from .shapes import *

__all__ = [
    name for family in (arithmetic, linalg, positions, products, reductions, shapes) for name in family.__all__
]
