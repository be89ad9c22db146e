"""Size: what a tensor's shape is given as."""

from __future__ import annotations

__all__ = ["Size"]


class Size(tuple[int, ...]):
    """A shape: a tuple that prints as PyTorch's and knows its number of items."""

    __slots__ = ()

    def numel(self) -> int:
        """The product of the lengths."""
        n = 1
        for length in self:
            n *= length
        return n

    def __repr__(self) -> str:
        return f"lamina.Size({list(self)})"
