"""Layers that change the shape and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError
from lamina_tensor import Tensor

from ..module import Module

__all__ = ["Flatten", "Unflatten"]


class Flatten(Module):
    """The dims from `start_dim` to `end_dim` as one."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Tensor) -> Tensor:
        """(N, a, b, ...) to (N, a * b * ...) by default."""
        return lt.flatten(input, self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """One dim as several.

    Args:
        dim: which.
        unflattened_size: their lengths, one of which may be -1.

    Raises:
        TypeError: these are no tuple or list of ints.
    """

    def __init__(self, dim: int, unflattened_size: Sequence[int]) -> None:
        super().__init__()
        if not isinstance(unflattened_size, (tuple, list)):
            raise ArgumentTypeError(f"unflattened_size must be a tuple of ints, but found type {type(unflattened_size).__name__}")
        for place, n in enumerate(unflattened_size):
            if not isinstance(n, int):
                raise ArgumentTypeError(
                    f"unflattened_size must be tuple of ints, but found element of type {type(n).__name__} at pos {place}"
                )
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input: Tensor) -> Tensor:
        """(..., n, ...) to (..., *unflattened_size, ...)."""
        return lt.unflatten(input, self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
