"""PyTorch's `torch.onnx`: programs import it and export at their user's wish only; there is no export here."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..absent_names import explained

__all__ = ["is_in_onnx_export", "register_custom_op_symbolic"]


def is_in_onnx_export() -> bool:
    """Tell whether a model is being exported, here and now: none is.

    Returns:
        False.

    >>> torch.onnx.is_in_onnx_export()
    False
    """
    return False


def register_custom_op_symbolic(symbolic_name: str, symbolic_fn: Callable[..., Any], opset_version: int) -> None:
    """Accept how an op is to be exported: nothing is.

    Args:
        symbolic_name: the op's, with its namespace.
        symbolic_fn: what it is in ONNX.
        opset_version: from which version of ONNX's ops on.

    >>> torch.onnx.register_custom_op_symbolic("mine::twice", lambda g, x: x, 17)
    """


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
