"""PyTorch's `torch.compiler`: nothing is compiled, and what tells the compiler something is accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from .absent_names import explained

__all__ = [
    "allow_in_graph", "assume_constant_result", "cudagraph_mark_step_begin", "disable", "is_compiling",
    "is_dynamo_compiling", "is_exporting", "list_backends", "reset",
]  # fmt: skip

_F = TypeVar("_F")

differs = "accepted; the program runs eagerly"


def is_compiling() -> bool:
    """Return False: no program is compiled.

    Returns:
        False.

    >>> torch.compiler.is_compiling()
    False
    """
    return False


def is_dynamo_compiling() -> bool:
    """Return False: no program is compiled.

    Returns:
        False.

    >>> torch.compiler.is_dynamo_compiling()
    False
    """
    return False


def is_exporting() -> bool:
    """Return False: no program is exported.

    Returns:
        False.

    >>> torch.compiler.is_exporting()
    False
    """
    return False


def disable(fn: Any = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """Return the function itself, which PyTorch's compiler is to leave alone.

    Args:
        fn: the function; None for a decorator.
        recursive, reason: accepted as in PyTorch.

    Returns:
        The same function, or a decorator.

    >>> torch.compiler.disable(len)([1, 2])
    2
    """
    return fn if fn is not None else lambda fn: fn


def allow_in_graph(fn: _F) -> _F:
    """Return the function itself, into which PyTorch's compiler is not to look.

    Args:
        fn: the function, or a list of them.

    Returns:
        The same object.

    >>> torch.compiler.allow_in_graph(len)([1, 2])
    2
    """
    return fn


def assume_constant_result(fn: _F) -> _F:
    """Return the function itself, whose result PyTorch's compiler may keep.

    Args:
        fn: the function.

    Returns:
        The same function, which is called each time.

    >>> torch.compiler.assume_constant_result(len)([1, 2])
    2
    """
    return fn


def cudagraph_mark_step_begin() -> None:
    """Accept that a step begins: no graphs are captured.

    >>> torch.compiler.cudagraph_mark_step_begin()
    """


def list_backends(exclude_tags: Any = ("debug", "experimental")) -> list[str]:
    """Return the compilers that there are: none.

    Args:
        exclude_tags: accepted as in PyTorch.

    Returns:
        An empty list.

    >>> torch.compiler.list_backends()
    []
    """
    return []


def reset() -> None:
    """Accept that what was compiled is to be forgotten: nothing was.

    >>> torch.compiler.reset()
    """


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
