"""The functions of tensors whose PyTorch signature is more than a renaming of ours, by family."""

from ..dispatch.return_types import named as _named
from ..precision.casts import autocasting as _autocasting
from . import (
    arithmetic,
    arithmetic_in_place,
    covariance,
    matrices,
    ordering,
    positions,
    reductions,
    shapes,
    special,
    spectra,
    weighted_sums,
)
from .arithmetic import *
from .arithmetic_in_place import *
from .covariance import *
from .elementwise import binary, bits, comparison, in_place, unary
from .elementwise.binary import *
from .elementwise.bits import *
from .elementwise.comparison import *
from .elementwise.in_place import *
from .elementwise.unary import *
from .matrices import *
from .ordering import *
from .positions import *
from .reductions import *
from .shapes import *
from .shapes import RESHAPED_IN_PLACE
from .special import *
from .spectra import *
from .weighted_sums import *

_FAMILIES = (
    arithmetic, arithmetic_in_place, binary, bits, comparison, in_place, unary, covariance, matrices, ordering, positions,
    reductions, shapes, special, spectra, weighted_sums,
)  # fmt: skip

__all__ = [name for family in _FAMILIES for name in family.__all__]

globals().update({
    _name: _named(_name, _autocasting(_name, globals()[_name]))
    for _name in __all__
    if _name not in ("max", "min") and not hasattr(globals()[_name], "dispatches")
})
