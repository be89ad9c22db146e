"""Size, the class of a tensor's shape, and shapes as arguments: lengths one by one, or in one sequence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from lamina_flatarray import ArgumentTypeError

__all__ = ["Size", "int_tuple", "lengths_of", "sizes"]


class Size(tuple[int, ...]):
    """A shape: a tuple that prints as PyTorch's and knows its number of items.

    Args:
        iterable: the lengths; by default none, as of a tensor of one item without dims.

    >>> size = torch.ones(2, 3).shape
    >>> size, size[-1], size + (4,)
    (lamina.Size([2, 3]), 3, lamina.Size([2, 3, 4]))
    """

    __slots__ = ()

    @overload
    def __getitem__(self, index: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, index: slice, /) -> Size: ...
    def __getitem__(self, index: SupportsIndex | slice, /) -> int | Size:
        """Return the length of one dim, or those of a slice of the dims as a Size."""
        result = tuple.__getitem__(self, index)
        return result if isinstance(result, int) else Size(result)

    def numel(self) -> int:
        """Compute the number of items of a tensor of this shape: the product of the lengths.

        Returns:
            An int; 1 for the empty shape.

        >>> torch.Size([2, 3]).numel()
        6
        """
        n = 1
        for length in self:
            n *= length
        return n

    def __add__(self, other: tuple[int, ...], /) -> Size:  # type: ignore[override]  # tuple's is for any items
        result = tuple.__add__(self, other)
        return result if result is NotImplemented else Size(result)

    def __radd__(self, other: tuple[int, ...], /) -> Size:
        return Size(other).__add__(self) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, times: SupportsIndex, /) -> Size:
        result = tuple.__mul__(self, times)
        return result if result is NotImplemented else Size(result)

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return f"lamina.Size({list(self)})"


def sizes(shape: tuple[Any, ...]) -> tuple[int, ...]:
    """`(2, 3)` or `((2, 3),)`: lengths given one by one, or as one sequence."""
    return tuple(shape[0]) if len(shape) == 1 and not hasattr(shape[0], "__index__") else shape


def int_tuple(op: str, name: str, value: Sequence[int]) -> tuple[int, ...]:
    """A sequence of integers that is an argument of an op, as a tuple.

    Raises:
        ArgumentTypeError: it is no sequence.
    """
    try:
        return tuple(value)
    except TypeError:
        raise ArgumentTypeError(f"{op}(): argument '{name}' must be tuple of ints, not {type(value).__name__}") from None


def lengths_of(op: str, name: str, lengths: tuple[Any, ...], sequence: Sequence[int] | None) -> tuple[int, ...]:
    """Integers that were given one by one, as one sequence, or as that by its name.

    Args:
        op, name: whom an error names, and what is missing then.
        lengths: those by place.
        sequence: that by name.

    Returns:
        The integers.

    Raises:
        ArgumentTypeError: they were given in no way, or in two.
    """
    if sequence is None:
        if lengths:
            return lengths if lengths[0].__class__ is int else sizes(lengths)
        raise ArgumentTypeError(f"{op}() missing 1 required positional argument: '{name}'")
    if lengths:
        raise ArgumentTypeError(f"{op}() got multiple values for argument '{name}'")
    return tuple(sequence)
