"""The layers, by kind."""

from . import convolution, padding, pooling, resampling
from .activation import GELU, Dropout, Flatten, Identity, LogSoftmax, ReLU, Sigmoid, SiLU, Softmax, Softplus, Tanh
from .container import ModuleDict, ModuleList, Sequential
from .convolution import *
from .linear import Linear
from .loss import BCEWithLogitsLoss, CrossEntropyLoss, L1Loss, MSELoss, NLLLoss
from .padding import *
from .pooling import *
from .resampling import *

__all__ = [
    "BCEWithLogitsLoss", "CrossEntropyLoss", "Dropout", "Flatten", "GELU", "Identity", "L1Loss", "Linear",
    "LogSoftmax", "MSELoss", "ModuleDict", "ModuleList", "NLLLoss", "ReLU", "Sequential", "SiLU", "Sigmoid", "Softmax",
    "Softplus", "Tanh",
]  # fmt: skip
__all__ += [name for part in (convolution, padding, pooling, resampling) for name in part.__all__]
