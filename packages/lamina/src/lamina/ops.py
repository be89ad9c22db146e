"""PyTorch's `torch.ops`: the ops that programs define with `torch.library`, by namespace and name; none of PyTorch's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from .library import _defined

__all__ = ["load_library"]


def load_library(path: Any) -> NoReturn:
    """Refuse to load ops that were compiled for PyTorch.

    Args:
        path: of the library.

    Raises:
        OSError: always.

    >>> torch.ops.load_library("mine.so")
    Traceback (most recent call last):
    ...
    OSError: torch.ops.load_library: mine.so is compiled for PyTorch's own binary interface, which lamina does not have
    """
    raise OSError(f"torch.ops.load_library: {path} is compiled for PyTorch's own binary interface, which lamina does not have")


class _Namespace:
    """The ops of one namespace."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        op = _defined.get(f"{self._name}::{name}")
        if op is None:
            raise AttributeError(f"torch.ops.{self._name}.{name}: no op of this name has been defined with torch.library.custom_op")
        return op


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if not any(known.startswith(f"{name}::") for known in _defined):
            raise AttributeError(f"torch.ops.{name}: no op in this namespace has been defined with torch.library.custom_op")
        return _Namespace(name)

    def __dir__() -> list[str]:
        return sorted(__all__)
