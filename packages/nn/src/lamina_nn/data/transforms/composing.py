"""Transforms one after the other, and any function as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lamina_flatarray import ArgumentTypeError

__all__ = ["Compose", "Lambda"]


class Compose:
    """Transforms in the order given."""

    def __init__(self, transforms: Sequence[Callable[[Any], Any]]) -> None:
        self.transforms = transforms

    def __call__(self, image: Any) -> Any:
        for transform in self.transforms:
            image = transform(image)
        return image

    def __repr__(self) -> str:
        return "Compose(\n" + "".join(f"    {transform}\n" for transform in self.transforms) + ")"


class Lambda:
    """A function as a transform.

    Raises:
        TypeError: it cannot be called.
    """

    def __init__(self, lambd: Callable[[Any], Any]) -> None:
        if not callable(lambd):
            raise ArgumentTypeError(f"Argument lambd should be callable, got {type(lambd).__name__}")
        self.lambd = lambd

    def __call__(self, image: Any) -> Any:
        return self.lambd(image)

    def __repr__(self) -> str:
        return f"Lambda({getattr(self.lambd, '__name__', self.lambd)})"
