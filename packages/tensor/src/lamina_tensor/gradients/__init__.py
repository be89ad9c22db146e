"""The gradient rules, by family. Importing a module registers its rules."""

from . import (
    arithmetic,
    draws,
    exponential,
    fourier,
    fused,
    gather,
    linalg,
    products,
    reductions,
    special,
    views,
    windows,
)

__all__ = [
    "arithmetic", "draws", "exponential", "fourier", "fused", "gather", "linalg", "products", "reductions", "special", "views",
    "windows",
]  # fmt: skip
