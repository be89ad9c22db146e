"""The functions of tensors whose PyTorch signature is more than a renaming of ours, by family."""

from . import arithmetic, positions, products, reductions, shapes
from .arithmetic import *
from .positions import *
from .positions import WRITTEN_BACK
from .products import *
from .reductions import *
from .shapes import *
from .shapes import RESHAPED_IN_PLACE

__all__ = [
    name for family in (arithmetic, positions, products, reductions, shapes) for name in family.__all__
]
