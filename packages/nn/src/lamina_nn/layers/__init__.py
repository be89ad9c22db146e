"""The layers, by kind."""

from . import (
    activation,
    batch_normalization,
    convolution,
    data_parallel,
    distance,
    dropout,
    lazy,
    linear,
    losses,
    module_containers,
    normalization,
    padding,
    parameter_containers,
    pooling,
    resampling,
    reshaping,
)
from .activation import *
from .batch_normalization import *
from .convolution import *
from .data_parallel import *
from .distance import *
from .dropout import *
from .lazy import *
from .linear import *
from .losses import *
from .module_containers import *
from .normalization import *
from .padding import *
from .parameter_containers import *
from .pooling import *
from .resampling import *
from .reshaping import *

_KINDS = (
    activation, batch_normalization, convolution, data_parallel, distance, dropout, lazy, linear, losses, module_containers,
    normalization, padding, parameter_containers, pooling, resampling, reshaping,
)  # fmt: skip

__all__ = [name for _kind in _KINDS for name in _kind.__all__]
