"""PyTorch's `torch.nn.utils`."""

from importlib import import_module as _import
from typing import Any as _Any

from lamina_nn.fusion import *
from lamina_nn.gradient_clipping import *
from lamina_nn.parameter_vectors import *
from lamina_nn.reparametrization.spectral_norm import remove_spectral_norm, spectral_norm
from lamina_nn.reparametrization.weight_norm import remove_weight_norm, weight_norm
from lamina_nn.skipping_init import *

from . import clip_grad as clip_grad
from . import convert_parameters as convert_parameters
from . import parametrizations as parametrizations
from . import parametrize as parametrize
from . import rnn as rnn
from . import stateless as stateless


def __getattr__(name: str) -> _Any:
    if name in ("fusion", "prune"):
        return _import(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
