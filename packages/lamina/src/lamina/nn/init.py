"""PyTorch's `torch.nn.init`."""

from typing import TYPE_CHECKING

from lamina_nn.deprecated_init import (
    constant,
    dirac,
    eye,
    kaiming_normal,
    kaiming_uniform,
    normal,
    orthogonal,
    sparse,
    uniform,
    xavier_normal,
    xavier_uniform,
)  # fmt: skip
from lamina_nn.init import (
    calculate_gain,
    constant_,
    dirac_,
    eye_,
    kaiming_normal_,
    kaiming_uniform_,
    normal_,
    ones_,
    orthogonal_,
    sparse_,
    trunc_normal_,
    uniform_,
    xavier_normal_,
    xavier_uniform_,
    zeros_,
)  # fmt: skip

from ..absent_names import explained

__all__ = [
    "calculate_gain", "constant", "constant_", "dirac", "dirac_", "eye", "eye_", "kaiming_normal", "kaiming_normal_",
    "kaiming_uniform", "kaiming_uniform_", "normal", "normal_", "ones_", "orthogonal", "orthogonal_", "sparse",
    "sparse_", "trunc_normal_", "uniform", "uniform_", "xavier_normal", "xavier_normal_", "xavier_uniform",
    "xavier_uniform_", "zeros_",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
