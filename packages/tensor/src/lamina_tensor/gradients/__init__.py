"""The gradient rules, by family. Importing a module registers its rules."""

from . import arithmetic, exponential, fused, gather, products, reductions, special, views

__all__ = ["arithmetic", "exponential", "fused", "gather", "products", "reductions", "special", "views"]
