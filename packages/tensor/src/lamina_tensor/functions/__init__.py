"""The functions of tensors whose PyTorch signature is more than a renaming of ours, by family."""

from . import arithmetic, positions, products, reductions, shapes, spectra
from .arithmetic import *
from .positions import *
from .products import *
from .products import IN_PLACE
from .reductions import *
from .shapes import *
from .spectra import *

__all__ = [
    name for family in (arithmetic, positions, products, reductions, shapes, spectra) for name in family.__all__
]
