"""Weights of few bits, called as in torchao: of PyTorch's own `torch.quantization`, the marks that models carry."""

from typing import TYPE_CHECKING

from lamina_nn.quantization import (
    Int4WeightOnlyConfig,
    Int8WeightOnlyConfig,
    QuantizedLinear,
    QuantizedWeight,
    dequantize,
    quantize,
    quantize_,
    quantized_linear,
)

from .absent_names import explained
from .ao.quantization import DeQuantStub, QuantStub

__all__ = [
    "DeQuantStub", "Int4WeightOnlyConfig", "Int8WeightOnlyConfig", "QuantStub", "QuantizedLinear", "QuantizedWeight",
    "dequantize", "quantize", "quantize_", "quantized_linear",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
