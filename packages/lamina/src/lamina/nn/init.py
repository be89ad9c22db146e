"""PyTorch's `torch.nn.init`."""

from typing import TYPE_CHECKING

from lamina_nn.init import (  # what published code imports, beside the public names
    _calculate_correct_fan as _calculate_correct_fan,
)  # fmt: skip
from lamina_nn.init import (
    _calculate_fan_in_and_fan_out as _calculate_fan_in_and_fan_out,
)
from lamina_nn.init import (
    _no_grad_fill_ as _no_grad_fill_,
)
from lamina_nn.init import (
    _no_grad_normal_ as _no_grad_normal_,
)
from lamina_nn.init import (
    _no_grad_trunc_normal_ as _no_grad_trunc_normal_,
)
from lamina_nn.init import (
    _no_grad_uniform_ as _no_grad_uniform_,
)
from lamina_nn.init import (
    _no_grad_zero_ as _no_grad_zero_,
)
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
from lamina_nn.init.deprecated import (
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

from ..absent_names import explained

__all__ = [
    "calculate_gain", "constant", "constant_", "dirac", "dirac_", "eye", "eye_", "kaiming_normal", "kaiming_normal_",
    "kaiming_uniform", "kaiming_uniform_", "normal", "normal_", "ones_", "orthogonal", "orthogonal_", "sparse",
    "sparse_", "trunc_normal_", "uniform", "uniform_", "xavier_normal", "xavier_normal_", "xavier_uniform",
    "xavier_uniform_", "zeros_",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
