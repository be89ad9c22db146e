"""The gradient rules, by family. Importing a module registers its rules."""

from . import arithmetic, exponential, fourier, gather, linalg, products, random, reductions, special, views
from .layers import (
    activations,
    attentions,
    class_losses,
    dropouts,
    fused,
    normalizations,
    quantized_products,
    recurrences,
    windows,
)

__all__ = [
    "activations", "arithmetic", "attentions", "class_losses", "dropouts", "exponential", "fourier", "fused", "gather",
    "linalg", "normalizations", "products", "quantized_products", "random", "recurrences", "reductions", "special", "views", "windows",
]  # fmt: skip
