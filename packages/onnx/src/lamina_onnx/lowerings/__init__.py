"""How each function of tensors is written as ONNX, in files by family."""

from . import (
    activations,
    attention,
    comparisons,
    convolutions,
    creation,
    elementwise,
    indexing,
    normalizations,
    pooling,
    products,
    recurrences,
    reductions,
    resampling,
    shapes,
)  # fmt: skip
from .registry import IGNORED, LOWERINGS, taken

__all__ = ["IGNORED", "LOWERINGS", "taken"]
