"""The gradient rules, by family. Importing a module registers its rules."""

from . import (
    arithmetic,
    class_losses,
    draws,
    exponential,
    fourier,
    fused,
    gather,
    linalg,
    normalizations,
    products,
    reductions,
    special,
    views,
    windows,
)

__all__ = [
    "arithmetic", "class_losses", "draws", "exponential", "fourier", "fused", "gather", "linalg", "normalizations", "products",
    "reductions", "special", "views", "windows",
]  # fmt: skip
