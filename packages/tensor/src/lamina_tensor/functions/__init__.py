"""The functions of tensors whose PyTorch signature is more than a renaming of ours, by family."""

from . import arithmetic, positions, products, reductions, shapes, special
from .arithmetic import *
from .positions import *
from .products import *
from .reductions import *
from .shapes import *
from .special import *

__all__ = [
    name for family in (arithmetic, positions, products, reductions, shapes, special) for name in family.__all__
]
