"""What PyTorch's profiles call a kernel: `aten::` and a name, or `lamina::` and ours where PyTorch has no such kernel."""

from __future__ import annotations

from functools import cache
from typing import Final

import lamina_ndarray as nd
from lamina_flatarray.ops import OPS

__all__ = ["kernel_name"]

_RENAMED: Final = {
    "adam_step": "_fused_adam_", "convolution_input_gradient": "convolution_backward",
    "convolution_weight_gradient": "convolution_backward", "copy": "copy_", "fill": "fill_", "geqrf": "geqrf",
    "index_put": "index_put_",
    "log_softmax": "_log_softmax", "random_bernoulli": "bernoulli_", "random_integers": "random_", "random_normal": "normal_",
    "random_permutation": "randperm", "random_uniform": "uniform_", "sgd_step": "_fused_sgd_", "softmax": "_softmax",
}  # fmt: skip
"""Where PyTorch's kernel has another name than its function."""

_OURS: Final = frozenset((
    "average_pool", "average_pool_gradient", "max_pool", "ranked", "running_max", "running_min", "sorted_values",
    "trunc_divide",
))  # fmt: skip
"""Those that PyTorch has no kernel for."""

_SPECIAL: Final = frozenset(nd.special.__all__) - {
    "digamma", "erf", "erfc", "erfinv", "exp2", "expm1", "i0", "igamma", "igammac", "lgamma", "log1p", "logsumexp",
    "polygamma", "round",
}  # fmt: skip
"""What PyTorch has in `torch.special` only."""


@cache
def kernel_name(op: str) -> str:
    """The name of an op's kernel in profiles."""
    row = OPS.get(op)
    if row is None or op in _OURS:
        return f"lamina::{op}"
    if op in _RENAMED:
        return f"aten::{_RENAMED[op]}"
    if row.family == "fft":
        return f"aten::_{op}"
    if row.family == "linalg" and not hasattr(nd, op):
        return f"aten::linalg_{op}"
    return f"aten::special_{op}" if op in _SPECIAL else f"aten::{row.spelling}"
