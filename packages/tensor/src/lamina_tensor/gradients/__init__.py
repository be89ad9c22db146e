"""The gradient rules, by family. Importing a module registers its rules."""

from . import arithmetic, exponential, fourier, fused, gather, linalg, products, reductions, special, views

__all__ = ["arithmetic", "exponential", "fourier", "fused", "gather", "linalg", "products", "reductions", "special", "views"]
