"""PyTorch's `torch.ops`: the ops that programs define with `torch.library`, by namespace and name; of PyTorch's own, in `aten`,
those that are functions of the same name here."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NoReturn

import lamina_nn.functional
import lamina_tensor

from .library import _defined

__all__ = ["aten", "load_library"]


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


class _AtenOp:
    """An op of PyTorch's own by its name: what a function of the same name computes.

    Args:
        name: the op's.
        overload: which of its signatures is meant; all are the same function here.
    """

    def __init__(self, name: str, overload: str = "") -> None:
        self.__name__ = name
        self._overload = overload

    def __getattr__(self, name: str) -> _AtenOp:
        if name.startswith("_") or self._overload:
            raise AttributeError(f"torch.ops.aten.{self.__name__}: no attribute {name!r}")
        return _aten(self.__name__, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        name = self.__name__
        for home in (lamina_tensor, lamina_nn.functional, lamina_tensor.Tensor):
            if (function := getattr(home, name, None)) is not None:
                return function(*args, **kwargs)
        raise NotImplementedError(f"torch.ops.aten.{name}: lamina has no function of this name")

    def __repr__(self) -> str:
        return f"<op aten.{self.__name__}{self._overload and '.'}{self._overload}>"


@lru_cache(4096)
def _aten(name: str, overload: str = "") -> _AtenOp:
    """The op of a name, the same object whenever it is asked for: programs compare ops."""
    return _AtenOp(name, overload)


class _Aten:
    """The namespace of PyTorch's own ops."""

    def __getattr__(self, name: str) -> _AtenOp:
        if name.startswith("__"):
            raise AttributeError(f"torch.ops.aten: no attribute {name!r}")
        return _aten(name)


aten: Final = _Aten()

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if not any(known.startswith(f"{name}::") for known in _defined):
            raise AttributeError(f"torch.ops.{name}: no op in this namespace has been defined with torch.library.custom_op")
        return _Namespace(name)

    def __dir__() -> list[str]:
        return sorted(__all__)
