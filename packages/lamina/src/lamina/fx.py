"""PyTorch's `torch.fx`: what models say to its tracer, and its classes for `isinstance`; nothing is traced."""

from typing import TYPE_CHECKING, Any, TypeVar

import lamina_nn as nn

from .absent_names import explained

__all__ = ["GraphModule", "Proxy", "wrap"]

F = TypeVar("F")


class GraphModule(nn.Module):
    """PyTorch's class of traced modules, for `isinstance`: nothing is one.

    Args:
        args, kwargs: as of a module.

    >>> isinstance(torch.nn.ReLU(), torch.fx.GraphModule)
    False
    """


class Proxy:
    """PyTorch's class of values within a trace, for `isinstance`: nothing is one.

    Args:
        node, tracer: as in PyTorch.

    >>> isinstance(torch.ones(2), torch.fx.Proxy)
    False
    """

    def __init__(self, node: Any, tracer: Any = None) -> None:
        raise NotImplementedError("torch.fx.Proxy: nothing is traced here")


def wrap(fn_or_name: F) -> F:
    """Return the function itself, or its name, into which PyTorch's tracer is not to look.

    Args:
        fn_or_name: the function, or the name of one.

    Returns:
        The same object.

    >>> torch.fx.wrap("len")
    'len'
    """
    return fn_or_name


differs: Any = "accepted; nothing is traced"

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
