"""PyTorch's `torch.overrides`: who has a say in what functions of tensors answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from lamina_flatarray.modes import FUNCTION_MODES, NO_OVERRIDES, word
from lamina_tensor import Tensor
from lamina_tensor.dispatch.function_modes import TorchFunctionMode, ask
from lamina_tensor.dispatch.torch_function import overriding_kinds

from .absent_names import explained

__all__ = [
    "TorchFunctionMode", "get_default_nowrap_functions", "handle_torch_function", "has_torch_function", "is_tensor_like",
    "is_tensor_method_or_property",
]  # fmt: skip


def has_torch_function(relevant_args: Iterable[Any]) -> bool:
    """Tell whether a class of tensors among the arguments, or a mode, has a say in functions.

    Args:
        relevant_args: the arguments.

    Returns:
        A bool.

    >>> torch.overrides.has_torch_function((torch.ones(2),))
    False
    """
    flags = word.get()
    return bool(flags & FUNCTION_MODES) or (not flags & NO_OVERRIDES and bool(overriding_kinds(relevant_args)))


def handle_torch_function(public_api: Callable[..., Any], relevant_args: Iterable[Any], *args: Any, **kwargs: Any) -> Any:
    """Let a mode, or the classes of tensors among the arguments, answer a call of a program's own function.

    Args:
        public_api: the function.
        relevant_args: those of its arguments that may have a say.
        args, kwargs: all of its arguments.

    Returns:
        What the first of them answers that does not answer NotImplemented.

    Raises:
        TypeError: none answers.

    >>> class Named(torch.Tensor):
    ...     @classmethod
    ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
    ...         return func.__name__
    >>> def mine(x):
    ...     if torch.overrides.has_torch_function((x,)):
    ...         return torch.overrides.handle_torch_function(mine, (x,), x)
    ...     return x
    >>> mine(torch.ones(2).as_subclass(Named))
    'mine'
    """
    kinds = overriding_kinds(relevant_args)
    if word.get() & FUNCTION_MODES:
        return ask(public_api, tuple(kinds), args, kwargs)
    for kind in kinds:
        result = kind.__torch_function__(public_api, tuple(kinds), args, kwargs)
        if result is not NotImplemented:
            return result
    names = ", ".join(kind.__name__ for kind in kinds)
    raise TypeError(f"no implementation found for '{public_api.__module__}.{public_api.__name__}' by __torch_function__ of: {names}")


def is_tensor_like(inp: Any) -> bool:
    """Tell whether something is a tensor, or overrides functions of tensors.

    Args:
        inp: anything.

    Returns:
        A bool.

    >>> torch.overrides.is_tensor_like(torch.ones(2)), torch.overrides.is_tensor_like([1.0])
    (True, False)
    """
    return type(inp) is Tensor or hasattr(inp, "__torch_function__")


def is_tensor_method_or_property(func: Callable[..., Any]) -> bool:
    """Tell whether a function is a method of Tensor, or the getter of one of its properties.

    Args:
        func: the function.

    Returns:
        A bool.

    >>> torch.overrides.is_tensor_method_or_property(torch.Tensor.backward)
    True
    """
    return getattr(func, "__name__", None) == "__get__" or getattr(Tensor, getattr(func, "__name__", ""), None) is func


def get_default_nowrap_functions() -> set[Callable[..., Any]]:
    """Tell which functions return what is not to be made of a derived class: none here, where only functions are overridden.

    Returns:
        An empty set.

    >>> torch.overrides.get_default_nowrap_functions()
    set()
    """
    return set()


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
