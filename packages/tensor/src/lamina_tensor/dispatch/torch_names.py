"""What a name of PyTorch stands for here, for every name that is a function of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import lamina_ndarray as nd
from lamina_flatarray.ops import OPS

from .. import functions
from ..precision.casts import autocasting
from ..tensor_fields import TensorFields
from . import array_functions as af
from .aliases import ALIASES
from .lifting import Lifted
from .return_types import named
from .spelling import check_tensors, spelled
from .subclassing import overridable, prepared

__all__ = ["found", "names", "part"]

_ONLY_TENSORS: Final = {
    # how many leading arguments may not be numbers, as in PyTorch; the operators and the arrays' functions take both
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge", "fmod"), 1),
    **dict.fromkeys(("maximum", "minimum", "fmax", "fmin", "atan2", "hypot", "logical_and", "logical_or"), 2),
    **dict.fromkeys(("logical_xor", "nextafter", "heaviside", "gcd", "lcm", "logaddexp", "logaddexp2"), 2),
    "ldexp": 2,
    "copysign": 1,
}
_METHODS_ONLY: Final = frozenset({"repeat", "unfold", "view"})
"""Names of arrays' functions by which PyTorch has methods only."""

_BY_SPELLING: Final = {row.spelling: row.name for row in OPS.values()}


def found(name: str) -> Callable[..., Any]:
    """The function that PyTorch calls `torch.NAME`: one of `functions`, else one of the op table or of the arrays',
    which differs in the names of its arguments only.

    Raises:
        AttributeError: there is none.
    """
    name = ALIASES.get(name, name)
    if name in functions.__all__:
        return prepared(getattr(functions, name))  # type: ignore[no-any-return]
    ours = _BY_SPELLING.get(name, name)
    if ours.startswith("_") or ours in _METHODS_ONLY or not (ours in af.FUNCTIONS or hasattr(nd, ours)):
        raise AttributeError(f"lamina has no function {name!r}")
    function = getattr(af, ours)
    if ours in OPS and OPS[ours].family == "map":  # these take PyTorch's names of arguments as they are
        call = function
    else:
        call = spelled(function) if callable(function) and not isinstance(function, type) else function
    call = _only_of_tensors(name, call, _ONLY_TENSORS[name]) if name in _ONLY_TENSORS else call
    return prepared(named(name, autocasting(name, call)))


def names() -> set[str]:
    """Every name that `found` finds."""
    arrays = {name for name in dir(nd) if not name.startswith("_") and callable(getattr(nd, name))}
    return {*functions.__all__, *ALIASES, *_BY_SPELLING, *af.FUNCTIONS, *arrays} - _METHODS_ONLY


def _only_of_tensors(name: str, function: Callable[..., Any], count: int) -> Callable[..., Any]:
    def call(*args: Any, **params: Any) -> Any:
        for x in args[:count]:
            if not isinstance(x, TensorFields):
                check_tensors(name, *args[:count])
        return function(*args, **params)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = function.__doc__
    return call


def part(module: Any, prefix: str = "", **own: Callable[..., Any]) -> Any:
    """A module of functions of arrays (`linalg`, `fft`, `special`) under PyTorch's spelling.

    Args:
        module: the functions of arrays.
        prefix: what PyTorch calls its ops by, in front of their names here.
        own: functions of tensors that replace those of these names.
    """
    return _Spelled(Lifted(module), prefix, own)


class _Spelled:
    def __init__(self, functions: Lifted, prefix: str, own: dict[str, Callable[..., Any]]) -> None:
        self._functions = functions
        self._prefix = prefix
        self.__dict__.update({name: self._finished(name, function) for name, function in own.items()})
        overridable(self.__dict__)

    def _finished(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        return named(self._prefix + name, autocasting(self._prefix + name, function))

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._functions, name)
        if callable(function) and not isinstance(function, type):
            function = prepared(self._finished(name, spelled(function)))
        self.__dict__[name] = function
        return function

    def __dir__(self) -> list[str]:
        return sorted({*dir(self._functions), *(name for name in self.__dict__ if name[0] != "_")})
