"""Activations: functions item by item between the layers of a network, and the softmax family along a dim."""

from .along_a_dim import glu, gumbel_softmax, log_softmax, softmax, softmin
from .exponential_units import celu, celu_, elu, elu_, selu, selu_
from .piecewise import hardshrink, hardsigmoid, hardswish, softshrink
from .rectifiers import (
    hardtanh,
    hardtanh_,
    leaky_relu,
    leaky_relu_,
    prelu,
    relu,
    relu6,
    relu_,
    rrelu,
    rrelu_,
    threshold,
    threshold_,
)
from .smooth import gelu, logsigmoid, mish, sigmoid, silu, softplus, softsign, tanh, tanhshrink

__all__ = [
    "celu", "celu_", "elu", "elu_", "gelu", "glu", "gumbel_softmax", "hardshrink", "hardsigmoid", "hardswish",
    "hardtanh", "hardtanh_", "leaky_relu", "leaky_relu_", "log_softmax", "logsigmoid", "mish", "prelu", "relu", "relu6",
    "relu_", "rrelu", "rrelu_", "selu", "selu_", "sigmoid", "silu", "softmax", "softmin", "softplus", "softshrink",
    "softsign", "tanh", "tanhshrink", "threshold", "threshold_",
]  # fmt: skip
