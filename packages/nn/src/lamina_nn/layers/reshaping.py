"""Layers that change the shape and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError
from lamina_tensor import Tensor

from ..module import Module

__all__ = ["Flatten", "Unflatten"]


class Flatten(Module):
    """Merge consecutive dims into one.

    Args:
        start_dim: the first dim to merge; by default the one behind the batch.
        end_dim: the last dim to merge.

    Shape:
        (N, a, b, ...) to (N, a * b * ...) by default.

    >>> torch.nn.Flatten()(torch.zeros(2, 3, 4)).shape
    lamina.Size([2, 12])
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Tensor) -> Tensor:
        """Merge the dims.

        Args:
            input: a tensor of any shape.

        Returns:
            A tensor of the same items with the dims merged: a view where possible.
        """
        result: Tensor = lt.flatten(input, self.start_dim, self.end_dim)
        return result

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """Split one dim into several.

    Args:
        dim: the dim to split.
        unflattened_size: the lengths of the new dims, at most one of which is -1.

    Shape:
        (..., n, ...) to (..., *unflattened_size, ...).

    Raises:
        ArgumentTypeError: unflattened_size is neither a tuple nor a list of ints.

    >>> torch.nn.Unflatten(1, (3, 4))(torch.zeros(2, 12)).shape
    lamina.Size([2, 3, 4])
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
        """Split the dim.

        Args:
            input: a tensor whose length at the dim is the product of the new ones.

        Returns:
            A view with the dim split.
        """
        result: Tensor = lt.unflatten(input, self.dim, self.unflattened_size)
        return result

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
