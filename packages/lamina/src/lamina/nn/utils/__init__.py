"""PyTorch's module path `torch.nn.utils`, kept for programs that import it."""

from collections.abc import Callable as _Callable
from typing import Any as _Any

from lamina_nn.fusion import *
from lamina_nn.gradient_clipping import *
from lamina_nn.parameter_vectors import *
from lamina_nn.reparametrization.spectral_norm import remove_spectral_norm, spectral_norm
from lamina_nn.reparametrization.weight_norm import remove_weight_norm, weight_norm
from lamina_nn.skipping_init import *

from ...absent_names import explained as _explained
from . import clip_grad, convert_parameters, parametrizations, parametrize, rnn, stateless

__getattr__: _Callable[[str], _Any] = _explained(globals(), parts=("fusion", "prune"))
