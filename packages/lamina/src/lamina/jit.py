"""PyTorch's `torch.jit`: functions and modules stay what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .absent_names import explained

__all__ = ["export", "ignore", "is_scripting", "is_tracing", "script", "script_if_tracing", "trace", "unused"]

differs = "accepted; the program runs eagerly"


def script(obj: Any = None, **options: Any) -> Any:
    """Return the function or module itself: programs run eagerly.

    Args:
        obj: the function or module; None for a decorator.
        **options: accepted as in PyTorch.

    Returns:
        The same object, or a decorator.

    >>> double = torch.jit.script(lambda x: 2 * x)
    >>> double(torch.tensor([1.0, 2.0]))
    tensor([2., 4.])
    """
    return obj if obj is not None else lambda obj: obj


def trace(func: Any, example_inputs: Any = None, **options: Any) -> Any:
    """Return the function or module itself: programs run eagerly, and nothing is called here.

    Args:
        func: the function or module.
        example_inputs: accepted as in PyTorch, also by position.
        **options: accepted as in PyTorch.

    Returns:
        The same object.

    >>> model = torch.nn.Linear(2, 1)
    >>> torch.jit.trace(model, torch.ones(1, 2)) is model
    True
    """
    return func


def ignore(function: Any = None, **options: Any) -> Any:
    """Decorate a function that PyTorch's compiler is to leave alone; here it is returned itself.

    Args:
        function: the function; anything else for a decorator.
        **options: accepted as in PyTorch.

    Returns:
        The same function, or a decorator.

    >>> @torch.jit.ignore
    ... def double(x):
    ...     return 2 * x
    >>> double(torch.tensor(3))
    tensor(6)
    """
    return function if callable(function) else lambda function: function


export = unused = script_if_tracing = ignore


def is_scripting() -> bool:
    """Return False: no program is compiled.

    Returns:
        False.

    >>> torch.jit.is_scripting()
    False
    """
    return False


is_tracing = is_scripting


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
