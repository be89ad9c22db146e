"""The gradient rules, by family. Importing a module registers its rules."""

from . import (
    arithmetic,
    attentions,
    class_losses,
    draws,
    dropouts,
    exponential,
    fourier,
    fused,
    gather,
    linalg,
    normalizations,
    products,
    recurrences,
    reductions,
    special,
    views,
    windows,
)

__all__ = [
    "arithmetic", "attentions", "class_losses", "draws", "dropouts", "exponential", "fourier", "fused", "gather", "linalg",
    "normalizations", "products", "recurrences", "reductions", "special", "views", "windows",
]  # fmt: skip
