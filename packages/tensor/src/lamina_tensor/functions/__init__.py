"""The functions of tensors whose PyTorch signature is more than a renaming of ours, by family."""

from ..dispatch.return_types import named as _named
from ..methods.sizes import sizes
from ..precision.casts import autocasting as _autocasting
from . import (
    arithmetic,
    arithmetic_in_place,
    closeness,
    complex_parts,
    copies,
    differences,
    distances,
    indexing,
    matrices,
    ordering,
    questions,
    reductions,
    scans,
    shapes,
    softmaxes,
    special,
    spectra,
    weighted_sums,
)
from .arithmetic import *
from .arithmetic_in_place import *
from .closeness import *
from .complex_parts import *
from .copies import *
from .differences import *
from .distances import *
from .elementwise import binary, bits, comparison, in_place, unary
from .elementwise.binary import *
from .elementwise.bits import *
from .elementwise.comparison import *
from .elementwise.in_place import *
from .elementwise.unary import *
from .indexing import *
from .matrices import *
from .ordering import *
from .questions import *
from .reductions import *
from .scans import *
from .shapes import *
from .softmaxes import *
from .special import *
from .spectra import *
from .weighted_sums import *

_FAMILIES = (
    arithmetic, arithmetic_in_place, binary, bits, closeness, comparison, complex_parts, copies, differences, distances, in_place,
    indexing, matrices, ordering, questions, reductions, scans, shapes, softmaxes, special, spectra, unary, weighted_sums,
)  # fmt: skip

__all__ = [name for family in _FAMILIES for name in family.__all__]

globals().update({
    _name: _named(_name, _autocasting(_name, globals()[_name]))
    for _name in __all__
    if not hasattr(globals()[_name], "dispatches")
})
