"""What a name of PyTorch stands for here, for every name that is a function of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import lamina_ndarray as nd
from lamina_flatarray.ops import OPS

from . import array_functions as af
from . import functions
from .aliases import ALIASES
from .lifting import Lifted
from .spelling import spelled

__all__ = ["found", "part"]

_BY_SPELLING: Final = {row.spelling: row.name for row in OPS.values()}


def found(name: str) -> Callable[..., Any]:
    """The function that PyTorch calls `torch.NAME`: one of `functions`, else one of the op table or of the arrays',
    which differs in the names of its arguments only.

    Raises:
        AttributeError: there is none.
    """
    name = ALIASES.get(name, name)
    if name in functions.__all__:
        return getattr(functions, name)  # type: ignore[no-any-return]
    ours = _BY_SPELLING.get(name, name)
    if ours.startswith("_") or not (ours in af.FUNCTIONS or hasattr(nd, ours)):
        raise AttributeError(f"lamina has no function {name!r}")
    function = getattr(af, ours)
    return spelled(function) if callable(function) and not isinstance(function, type) else function


def part(module: Any, **own: Callable[..., Any]) -> Any:
    """A module of functions of arrays (`linalg`, `fft`, `special`) under PyTorch's spelling."""
    return _Spelled(Lifted(module), own)


class _Spelled:
    def __init__(self, functions: Lifted, own: dict[str, Callable[..., Any]]) -> None:
        self._functions = functions
        self.__dict__.update(own)

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._functions, name)
        if callable(function) and not isinstance(function, type):
            function = spelled(function)
        self.__dict__[name] = function
        return function
