"""Pooling of (n, channels, *spatial) arrays: one number per window."""

from .windowed import adaptive_max_pool, average_pool, average_pool_gradient, max_pool, max_pool_gradient

__all__ = [
    "adaptive_max_pool", "average_pool", "average_pool_gradient", "max_pool", "max_pool_gradient",
]  # fmt: skip
