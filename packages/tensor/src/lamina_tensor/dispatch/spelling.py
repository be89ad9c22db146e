"""PyTorch's spelling of functions that only differ from it in the names of their arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, Final

from lamina_flatarray import AutogradError, DTypeError
from lamina_ndarray.dispatch.namespace import REFUSED, is_composite, refusal
from lamina_ndarray.dispatch.operands import destination, finish

from ..tensor_fields import TensorFields

__all__ = ["check_tensors", "renamed", "spelled", "written"]

_KEYWORDS: Final[dict[str, tuple[str, ...]]] = {
    # PyTorch's name of an argument -> what ours may be called
    "diagonal": ("k",),
    "dim": ("axis", "axes"),
    "dims": ("axes", "axis"),
    "keepdim": ("keepdims",),
    "dim0": ("axis1",),
    "dim1": ("axis1", "axis2"),
    "dim2": ("axis2",),
    "index": ("indices",),
    "src": ("values",),
    "source": ("values",),
    "shifts": ("shift",),
    "size": ("shape",),
    "stride": ("strides",),
    "storage_offset": ("offset",),
}
_FIRST: Final = ("input", "self", "tensors", "A", "LU", "LD")
_SECOND: Final = ("other", "exponent", "vec2", "mat2", "tensor2", "B", "tau")


def _names(function: Callable[..., Any]) -> tuple[str, ...]:
    code = getattr(function, "__wrapped__", function).__code__
    return tuple(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def _places(
    function: Callable[..., Any], names: tuple[str, ...], positional: tuple[str, ...], count: int, given: tuple[str, ...]
) -> tuple[list[str], list[str], dict[str, str]]:
    """Which of the keywords given, next to so many arguments, come before these, which behind them, and what the others are
    called here.

    Raises:
        TypeError: one is given under two names.
    """
    first: list[str] = [k for k in _FIRST if k in given and k not in names]
    named: dict[str, str] = {}
    for name in given:
        if name in first:
            continue
        ours = name
        if name not in names:
            ours = next((n for n in _KEYWORDS.get(name, ()) if n in names and n not in named.values()), name)
            if ours == name and name in _SECOND and len(names) > 1:
                ours = names[1]
        if ours in named.values():
            raise TypeError(f"{function.__name__}() got multiple values for argument {name!r}")
        named[name] = ours
    behind = []
    for ours in positional[count + len(first) :]:  # what takes no keyword
        found = next((n for n, o in named.items() if o == ours), None)
        if found is None:
            break
        behind.append(found)
        del named[found]
    return first, behind, named


def spelled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that takes PyTorch's keywords too: `input`, `dim`, `keepdim`, `out`, ...

    Raises (when called):
        TypeError: an argument is unknown, or given twice.
    """
    names = _names(function)
    positional = names[: getattr(function, "__wrapped__", function).__code__.co_posonlyargcount]
    body = function.__wrapped__ if is_composite(function) else function  # type: ignore[attr-defined]  # one frame less
    of_names = cache(lambda count, given: _places(function, names, positional, count, given))

    def call(*args: Any, **given: Any) -> Any:
        try:
            if not given:
                return body(*args)
            if "out" in given and "out" not in names:
                out = given.pop("out")
                result = call(*args, **given)
                return result if out is None else written(function.__name__, out, result)
            first, behind, named = of_names(len(args), tuple(given))
            if first or behind:
                args = (*map(given.__getitem__, first), *args, *map(given.__getitem__, behind))
            return body(*args, **dict(zip(named.values(), map(given.__getitem__, named), strict=True)))
        except REFUSED as error:
            raise refusal(function.__name__, error, (*args, *given.values())) from None

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = function.__doc__
    call.__wrapped__ = function  # type: ignore[attr-defined]
    return call


def renamed(function: Callable[..., Any], **names: str) -> Callable[..., Any]:
    """The function with arguments under other names; a call costs no more, as the code itself is given the names."""
    code = function.__code__
    made = FunctionType(
        code.replace(co_varnames=tuple(names.get(name, name) for name in code.co_varnames)),
        function.__globals__, function.__name__, function.__defaults__, function.__closure__,
    )  # fmt: skip
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def written(op: str, out: Any, result: Any) -> Any:
    """Results copied to where the caller wants them, which comes back.

    Raises:
        ShapeError: the shapes differ.
        DTypeError: a result cannot be cast to out's dtype, or one of several is not of it.
        AutogradError: gradients would have to flow through `out`.
    """
    if isinstance(result, tuple):
        for place, part in zip(out, result, strict=True):
            if place.dtype is not part.dtype:
                raise DTypeError(f"{op}(): Expected out tensor to have dtype {part.dtype!r}, but got {place.dtype!r} instead")
        return type(result)(*[written(op, place, part) for place, part in zip(out, result, strict=True)])
    if not isinstance(out, TensorFields):
        raise TypeError(f"{op}(): argument 'out' must be Tensor, not {type(out).__name__}")
    if out.requires_grad or result.requires_grad:
        raise AutogradError(f"{op}(): functions with out=... arguments don't support automatic differentiation")
    source = result.array
    target = destination(op, out.array, source.layout.shape, source.dtype, (source,))
    source.flat.kernels["copy"](target, source)
    finish(out.array, target)
    return out


def check_tensors(op: str, *operands: Any) -> None:
    """Refuse numbers where PyTorch does.

    Raises:
        TypeError: one of the operands is no tensor.
    """
    for place, x in enumerate(operands, 1):
        if not isinstance(x, TensorFields):
            raise TypeError(f"{op}(): argument {place} must be Tensor, not {type(x).__name__}")
