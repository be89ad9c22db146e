"""A parameter that the base distribution has."""

from __future__ import annotations

from typing import Self, overload

from lamina_tensor import Tensor

from ..maps.transformed_distribution import TransformedDistribution

__all__ = ["OfBase"]


class OfBase:
    """A parameter that the base distribution has."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.__doc__ = f"The parameter `{name}` of the base distribution."

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: TransformedDistribution, owner: type | None = None) -> Tensor: ...
    def __get__(self, instance: TransformedDistribution | None, owner: type | None = None) -> Tensor | Self:
        return self if instance is None else getattr(instance.base_dist, self.name)
