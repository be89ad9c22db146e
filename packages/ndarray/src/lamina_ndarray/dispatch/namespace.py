"""Code written once for every kind of array: a generic function asks its operands for the functions that suit them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar, overload

from lamina_flatarray import DTypeError
from lamina_flatarray.modes import INSIDE, STRICT, switched, word
from lamina_flatarray.twins import compiled

from .array_types import Array, Functions

__all__ = ["API_VERSION", "API_VERSIONS", "GENERIC_FUNCTIONS", "Array", "Functions", "generic", "namespace", "no_array"]

API_VERSION: Final = "2025.12"
"""The version of the Array API standard that the functions here follow."""

API_VERSIONS: Final = ("2021.12", "2022.12", "2023.12", "2024.12", API_VERSION)
"""The versions that a program may ask for; each adds to the one before."""

GENERIC_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {}
"""Functions that are written with other functions of the operands' own namespace, by module and name: they serve NDArrays and,
unchanged and with gradients, the arrays of a storey above."""

F = TypeVar("F", bound=Callable[..., Any])

_KNOWN: Final[dict[type, Any]] = {}
"""What arrays of a class answered: they are asked once."""

_OF_ARRAYS: Final = frozenset({"shape", "ndim", "dtype", "device", "__array_namespace__"})


class _NoArrayGiven(DTypeError):
    """To be said with the op's name."""


REFUSED: Final = (AttributeError, _NoArrayGiven)
"""What `refusal` looks at."""


@overload
def generic(function: F, /) -> F: ...
@overload
def generic(*, strict: bool) -> Callable[[F], F]: ...
def generic(function: Any = None, /, *, strict: bool = False) -> Any:
    """Register a function that touches neither kernels nor layouts: its body begins `xp = namespace(x)`, and then
    uses operators, indexing, `shape`, `ndim`, `dtype`, `device` and the functions of `xp` only. Its operands and what it gives are
    annotated `Array`: it gives NDArrays for NDArrays, and tensors for tensors.

    Args:
        function: the function.
        strict: whether strict mode looks at the function's operands; else what it does with them is its own affair.
    """
    if function is None:
        return lambda function: _registered(function, strict)
    return _registered(function, strict)


def _registered(function: F, strict: bool) -> F:
    op = function.__name__

    @wraps(function)
    def guarded(*args: Any, **params: Any) -> Any:
        try:
            if not strict and word.get() & (STRICT | INSIDE) == STRICT:
                with switched(INSIDE, True):
                    return function(*args, **params)
            return function(*args, **params)
        except REFUSED as error:
            raise refusal(op, error, (*args, *params.values())) from None

    known: Any = guarded if compiled is None else compiled.generic(guarded, function, REFUSED, refusal)
    GENERIC_FUNCTIONS[f"{function.__module__}.{op}"] = known
    return known  # type: ignore[no-any-return]


def is_generic(function: Callable[..., Any]) -> bool:
    """Whether a function was registered by `generic`."""
    return GENERIC_FUNCTIONS.get(f"{function.__module__}.{function.__name__}") is function


def refusal(op: str, error: Exception, operands: tuple[Any, ...]) -> Exception:
    """The error of a generic function's body, in its words where something that came in is no array."""
    if isinstance(error, _NoArrayGiven):
        return DTypeError(f"{op}: {error}")
    if isinstance(error, AttributeError) and error.name in _OF_ARRAYS and any(error.obj is x for x in operands):
        return no_array(op, error.obj)  # what an array has, asked of something else
    return error


def no_array(op: str, operand: Any) -> DTypeError:
    """The error for something that is no array, where one is wanted."""
    return DTypeError(f"{op}: expected an array, got {type(operand).__name__}; make one with asarray")


@overload
def namespace(x: Array, /, *others: Any) -> Functions[Array]: ...
@overload
def namespace(*operands: Any) -> Any: ...
def namespace(*operands: Any) -> Any:
    """The functions for the first operand that is an array: its `__array_namespace__()`.

    Raises:
        DTypeError: none of them is one.
    """
    for x in operands:
        cached = _KNOWN.get(x.__class__)
        if cached is not None:
            return cached
        if hasattr(x, "__array_namespace__"):
            result = _KNOWN[x.__class__] = x.__array_namespace__()
            return result
    kinds = ", ".join(type(x).__name__ for x in operands)
    raise _NoArrayGiven(f"expected an array, got {kinds}; make one with asarray")


if compiled is not None:
    namespace = compiled.namespace_(namespace, _KNOWN)
