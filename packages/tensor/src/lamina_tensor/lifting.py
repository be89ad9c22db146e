"""Functions of arrays lifted to tensors: tensors in, tensors out, and no gradient unless a rule says how."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import lamina_ndarray as nd
from lamina_flatarray import AutogradError
from lamina_ndarray import NDArray
from lamina_ndarray.namespace import COMPOSITES

from .modes import mode
from .recording import recorded, recorded_several
from .rules import NOT_DIFFERENTIABLE, RULES
from .tensor import Tensor, tensor_of

__all__ = ["Lifted", "arrays_of", "lifted", "tensors_of"]


def arrays_of(value: Any) -> Any:
    """Tensors inside lists, tuples and dicts replaced by their arrays."""
    if isinstance(value, Tensor):
        return value.array
    if isinstance(value, (list, tuple)):
        parts = [arrays_of(v) for v in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return {k: arrays_of(v) for k, v in value.items()} if isinstance(value, dict) else value


def tensors_of(value: Any) -> Any:
    """Arrays inside lists and (named) tuples replaced by tensors."""
    if isinstance(value, NDArray):
        return tensor_of(value)
    if isinstance(value, (list, tuple)):
        parts = [tensors_of(v) for v in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return value


def _wants_gradients(value: Any) -> bool:
    if isinstance(value, Tensor):
        return value.requires_grad
    return isinstance(value, (list, tuple)) and any(map(_wants_gradients, value))


def _is_inexact(value: Any) -> bool:
    if isinstance(value, NDArray):
        return value.dtype.is_inexact
    return isinstance(value, (list, tuple)) and any(map(_is_inexact, value))


def lifted(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of arrays as one of tensors. A composite is itself: its parts are recorded one by one. Where a rule of
    its name tells the gradients, it is recorded, as a view if it shares its input's memory.

    Raises (when called):
        AutogradError: gradients are wanted, and the function has no rule for them.
    """
    name = function.__name__
    if nd.functions.FUNCTIONS.get(name) is function:  # an op, under this or another name
        from . import array_functions  # made of lifted functions itself

        own: Callable[..., Any] | None = array_functions.FUNCTIONS.get(name) or vars(array_functions).get(name)
        if own is not None:
            return own
    if COMPOSITES.get(f"{function.__module__}.{name}") is function:
        return function

    def on_tensors(*args: Any, **params: Any) -> Any:
        result = function(*arrays_of(args), **arrays_of(params))
        if name in RULES and isinstance(result, (NDArray, tuple)):
            return _recorded(function, result, args, params)
        known = name in NOT_DIFFERENTIABLE
        if not known and mode.recording and _wants_gradients((*args, *params.values())) and _is_inexact(result):
            raise AutogradError(f"{name}: has no gradient rule; detach() its operands, or call it under no_grad()")
        return tensors_of(result)

    on_tensors.__name__ = on_tensors.__qualname__ = name
    on_tensors.__doc__ = function.__doc__
    on_tensors.__wrapped__ = function  # type: ignore[attr-defined]
    return on_tensors


def _recorded(function: Callable[..., Any], result: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """The result, or the named results, with the node of the function's rule. The rule's inputs are the function's arguments
    of these names."""
    code, rule = function.__code__, RULES[function.__name__]
    positional = code.co_varnames[: code.co_argcount]
    defaults = function.__defaults__ or ()
    bound = dict(zip(positional[len(positional) - len(defaults) :], defaults, strict=True))
    bound |= function.__kwdefaults__ or {}
    bound |= dict(zip(positional, args, strict=False)) | params
    inputs = tuple([bound.pop(name) for name in rule.inputs])
    if isinstance(result, tuple):
        return type(result)(*recorded_several(rule, result, inputs, **arrays_of(bound)))  # type: ignore[call-arg]
    base = next((x for x in inputs if isinstance(x, Tensor) and x.array.flat.memory is result.flat.memory), None)
    if base is not None and base.array is result:
        return base
    return recorded(rule, result, inputs, base, **arrays_of(bound))


class Lifted:
    """A module of functions of arrays, as one of functions of tensors; each is lifted when first wanted."""

    def __init__(self, module: ModuleType, **rules: Callable[..., Any]) -> None:
        self._module = module
        self.__dict__.update(rules)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._module, name)
        if callable(found) and not isinstance(found, type):
            found = lifted(found)
        self.__dict__[name] = found
        return found

    def __dir__(self) -> list[str]:
        return sorted(self._module.__all__)
