"""What PyTorch's profiles call a kernel: `aten::` and a name, or `lamina::` and ours where PyTorch has no such kernel."""

from __future__ import annotations

from functools import cache
from typing import Final

import lamina_ndarray as nd
from lamina_flatarray.ops import OPS

__all__ = ["kernel_name"]

_RENAMED: Final = {
    "adagrad_step": "_fused_adagrad_", "adam_step": "_fused_adam_", "adaptive_max_pool": "adaptive_max_pool2d",
    "attention": "_scaled_dot_product_flash_attention_for_cpu",
    "attention_gradient": "_scaled_dot_product_flash_attention_for_cpu_backward",
    "batch_norm_gradient": "native_batch_norm_backward", "convolution_input_gradient": "convolution_backward",
    "convolution_weight_gradient": "convolution_backward", "copy": "copy_", "dropout": "native_dropout",
    "dropout_gradient": "native_dropout_backward", "fill": "fill_", "geqrf": "geqrf",
    "array_equal": "equal", "foreach_add": "_foreach_add_", "foreach_multiply": "_foreach_mul_",
    "cross_entropy": "cross_entropy_loss", "gelu_gradient": "gelu_backward", "group_norm_gradient": "native_group_norm_backward",
    "index_put": "index_put_", "layer_norm_gradient": "native_layer_norm_backward", "log_softmax": "_log_softmax",
    "log_softmax_gradient": "_log_softmax_backward_data", "nll_loss_gradient": "nll_loss_backward",
    "random_bernoulli": "bernoulli_", "random_integers": "random_", "random_normal": "normal_",
    "random_permutation": "randperm", "random_uniform": "uniform_", "sgd_step": "_fused_sgd_",
    "relu_gradient": "threshold_backward", "rms_norm_gradient": "_fused_rms_norm_backward", "sigmoid_gradient": "sigmoid_backward",
    "silu_gradient": "silu_backward", "softmax": "_softmax", "softmax_gradient": "_softmax_backward_data",
    "elu_gradient": "elu_backward", "hardsigmoid_gradient": "hardsigmoid_backward", "hardswish_gradient": "hardswish_backward",
    "hardtanh_gradient": "hardtanh_backward", "leaky_relu_gradient": "leaky_relu_backward", "logsigmoid": "log_sigmoid_forward",
    "mish_gradient": "mish_backward", "shrink_gradient": "hardshrink_backward", "where_finite": "nan_to_num",
    "huber": "huber_loss", "softplus_gradient": "softplus_backward", "tanh_gradient": "tanh_backward", "two_norm": "linalg_vector_norm",
}  # fmt: skip
"""Where PyTorch's kernel has another name than its function."""

_OURS: Final = frozenset((
    "average_pool", "average_pool_gradient", "channel_moments", "cross_entropy_gradient", "distinct", "gelu_tanh", "gelu_tanh_gradient",
    "max_pool", "max_pool_gradient", "ranked", "recurrence", "recurrence_gradient", "running_max", "running_min",
    "scaled_softplus", "sorted_values", "total_norm", "trunc_divide", "weighted_items",
))  # fmt: skip
"""Those that PyTorch has no kernel for."""

_SPECIAL: Final = frozenset(nd.special.__all__) - {
    "digamma", "erf", "erfc", "erfinv", "exp2", "expm1", "i0", "igamma", "igammac", "lgamma", "log1p", "logsumexp",
    "polygamma", "round", "sinc", "xlogy",
}  # fmt: skip
"""What PyTorch has in `torch.special` only."""


@cache
def kernel_name(op: str) -> str:
    """The name of an op's kernel in profiles."""
    row = OPS.get(op)
    if op in _RENAMED:
        return f"aten::{_RENAMED[op]}"
    if row is None or op in _OURS or row.rule == "update":
        return f"lamina::{op}"
    if row.family == "fft":
        return f"aten::_{op}"
    if row.family == "linalg" and not hasattr(nd, op):
        return f"aten::linalg_{op}"
    return f"aten::special_{op}" if op in _SPECIAL else f"aten::{row.spelling}"
