"""The layers, by kind."""

from . import (
    activation,
    adaptive_softmax,
    attention,
    batch_normalization,
    convolution,
    data_parallel,
    distance,
    dropout,
    embedding,
    lazy,
    lazy_convolution,
    linear,
    losses,
    module_containers,
    normalization,
    padding,
    parameter_containers,
    pooling,
    recurrent,
    recurrent_cells,
    resampling,
    reshaping,
    transformer,
    transformer_layers,
)
from .activation import *
from .adaptive_softmax import *
from .attention import *
from .batch_normalization import *
from .convolution import *
from .data_parallel import *
from .distance import *
from .dropout import *
from .embedding import *
from .lazy import *
from .lazy_convolution import *
from .linear import *
from .losses import *
from .module_containers import *
from .normalization import *
from .padding import *
from .parameter_containers import *
from .pooling import *
from .recurrent import *
from .recurrent_cells import *
from .resampling import *
from .reshaping import *
from .transformer import *
from .transformer_layers import *

_KINDS = (
    activation, adaptive_softmax, attention, batch_normalization, convolution, data_parallel, distance, dropout,
    embedding, lazy, lazy_convolution, linear, losses, module_containers, normalization, padding, parameter_containers,
    pooling, recurrent, recurrent_cells, resampling, reshaping, transformer, transformer_layers,
)  # fmt: skip

__all__ = [name for _kind in _KINDS for name in _kind.__all__]
