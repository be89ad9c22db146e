"""Initial values for parameters, drawn or set in place, from PyTorch's random stream."""

# names with an underscore are what published code imports, beside the public ones
from .fans import _calculate_correct_fan as _calculate_correct_fan
from .fans import _calculate_fan_in_and_fan_out as _calculate_fan_in_and_fan_out
from .fans import calculate_gain, kaiming_normal_, kaiming_uniform_, xavier_normal_, xavier_uniform_
from .fills import _no_grad_fill_ as _no_grad_fill_
from .fills import _no_grad_normal_ as _no_grad_normal_
from .fills import _no_grad_uniform_ as _no_grad_uniform_
from .fills import _no_grad_zero_ as _no_grad_zero_
from .fills import constant_, normal_, ones_, uniform_, zeros_
from .matrices import dirac_, eye_, orthogonal_, sparse_
from .truncated_normal import _no_grad_trunc_normal_ as _no_grad_trunc_normal_
from .truncated_normal import trunc_normal_

__all__ = [
    "calculate_gain", "constant_", "dirac_", "eye_", "kaiming_normal_",
    "kaiming_uniform_", "normal_", "ones_", "orthogonal_", "sparse_",
    "trunc_normal_", "uniform_", "xavier_normal_", "xavier_uniform_",
    "zeros_",
]  # fmt: skip
