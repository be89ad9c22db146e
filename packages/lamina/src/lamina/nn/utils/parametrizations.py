"""PyTorch's module path `torch.nn.utils.parametrizations`, kept for programs that import it."""

from typing import TYPE_CHECKING

from lamina_nn.reparametrization.parametrizations import orthogonal, spectral_norm, weight_norm

from ...absent_names import explained
from . import parametrize

__all__ = ["orthogonal", "parametrize", "spectral_norm", "weight_norm"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
