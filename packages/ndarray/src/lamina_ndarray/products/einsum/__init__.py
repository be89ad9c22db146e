"""Sums of products by the names of their axes: the equation, the cheapest order of products, and the call."""

from .summation import einsum

__all__ = ["einsum"]
