"""PyTorch's module path `torch.nn.utils`, kept for programs that import it."""

from typing import TYPE_CHECKING

from lamina_nn.fusion import fuse_conv_bn_eval, fuse_conv_bn_weights, fuse_linear_bn_eval, fuse_linear_bn_weights
from lamina_nn.gradient_clipping import (
    clip_grad_norm,
    clip_grad_norm_,
    clip_grad_value_,
    clip_grads_with_norm_,
    get_total_norm,
)  # fmt: skip
from lamina_nn.parameter_vectors import parameters_to_vector, vector_to_parameters
from lamina_nn.reparametrization.spectral_norm import remove_spectral_norm, spectral_norm
from lamina_nn.reparametrization.weight_norm import remove_weight_norm, weight_norm
from lamina_nn.skipping_init import skip_init

from ...absent_names import explained

__all__ = [
    "clip_grad", "clip_grad_norm", "clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "convert_parameters",
    "fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights", "fusion",
    "get_total_norm", "parameters_to_vector", "parametrizations", "parametrize", "prune", "remove_spectral_norm",
    "remove_weight_norm", "rnn", "skip_init", "spectral_norm", "stateless", "vector_to_parameters", "weight_norm",
]  # fmt: skip

if TYPE_CHECKING:
    from . import clip_grad, convert_parameters, fusion, parametrizations, parametrize, prune, rnn, stateless
else:
    __getattr__, __dir__ = explained(__name__, __all__)
