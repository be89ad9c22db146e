"""The gradient rules, by family. Importing a module registers its rules."""

from . import (
    activations,
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
    "activations", "arithmetic", "attentions", "class_losses", "draws", "dropouts", "exponential", "fourier", "fused", "gather",
    "linalg", "normalizations", "products", "recurrences", "reductions", "special", "views", "windows",
]  # fmt: skip
