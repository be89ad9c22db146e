"""Weights of 8 and 4 bits: how floats become integers with scales, products with them, and models whose linear layers have them."""

from .linear import QuantizedLinear, quantized_linear
from .models import Int4WeightOnlyConfig, Int8WeightOnlyConfig, quantize_
from .rounding import dequantize, quantize
from .weight import QuantizedWeight

__all__ = [
    "Int4WeightOnlyConfig", "Int8WeightOnlyConfig", "QuantizedLinear", "QuantizedWeight", "dequantize", "quantize", "quantize_",
    "quantized_linear",
]  # fmt: skip
