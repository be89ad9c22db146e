"""PyTorch's private `torch._dynamo`: what published packages say to its compiler, accepted without effect."""

from typing import TYPE_CHECKING, Any

from ..absent_names import explained
from ..compiler import allow_in_graph, assume_constant_result, disable, is_compiling, reset
from .eval_frame import OptimizedModule

__all__ = [
    "OptimizedModule",
    "allow_in_graph", "assume_constant_result", "disable", "eval_frame", "is_compiling", "mark_dynamic", "mark_static",
    "mark_static_address", "maybe_mark_dynamic", "reset",
    "utils",
]  # fmt: skip


def mark_dynamic(t: Any, index: Any, **kwargs: Any) -> None:
    """Accept that a dim of a tensor may change.

    Args:
        t: the tensor.
        index: the dim, or several.
        **kwargs: accepted as in PyTorch.
    """


def maybe_mark_dynamic(t: Any, index: Any) -> None:
    """Accept that a dim of a tensor may change.

    Args:
        t: the tensor.
        index: the dim, or several.
    """


def mark_static(t: Any, index: Any = None) -> None:
    """Accept that a dim of a tensor never changes.

    Args:
        t: the tensor.
        index: the dim, or several; None for all.
    """


def mark_static_address(t: Any, guard: bool = False) -> None:
    """Accept that a tensor stays where it is in memory.

    Args:
        t: the tensor.
        guard: accepted as in PyTorch.
    """


if TYPE_CHECKING:
    from . import eval_frame, utils
else:
    __getattr__, __dir__ = explained(__name__, __all__)
