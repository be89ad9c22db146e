"""Activations as modules: shape in, the same shape out (but GLU, which halves a dim)."""

from .along_a_dim import GLU, LogSoftmax, Softmax, Softmax2d, Softmin
from .exponential_units import CELU, ELU, SELU
from .piecewise import Hardshrink, Hardsigmoid, Hardswish, Softshrink
from .rectifiers import Hardtanh, LeakyReLU, PReLU, ReLU, ReLU6, RReLU, Threshold
from .smooth import GELU, LogSigmoid, Mish, Sigmoid, SiLU, Softplus, Softsign, Tanh, Tanhshrink

__all__ = [
    "CELU", "ELU", "GELU", "GLU", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh", "LeakyReLU", "LogSigmoid",
    "LogSoftmax", "Mish", "PReLU", "RReLU", "ReLU", "ReLU6", "SELU", "SiLU", "Sigmoid", "Softmax", "Softmax2d",
    "Softmin", "Softplus", "Softshrink", "Softsign", "Tanh", "Tanhshrink", "Threshold",
]  # fmt: skip
