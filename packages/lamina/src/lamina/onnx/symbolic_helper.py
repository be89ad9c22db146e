"""PyTorch's `torch.onnx.symbolic_helper`: what packages say of how their ops are exported, for which `export` does not ask."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ..absent_names import explained

__all__ = ["parse_args"]

F = TypeVar("F", bound=Callable[..., Any])


def parse_args(*arg_descriptors: str) -> Callable[[F], F]:
    """Decorate a function that PyTorch's exporter calls; it is returned itself.

    Args:
        *arg_descriptors: the kinds of its arguments.

    Returns:
        A decorator.

    >>> from lamina.onnx.symbolic_helper import parse_args
    >>> parse_args("v")(len) is len
    True
    """
    return lambda function: function


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
