"""Gradients of tanh and the logistic function from their results, block by block."""

from __future__ import annotations

from typing import Any, Final

from ...contract import Kernel
from ..blocks import in_blocks
from ..quiet import quiet
from ..view import view

__all__ = ["KERNELS"]


def tanh_gradient(out: Any, gradient: Any, result: Any) -> None:
    """gradient * (1 - result**2)."""
    in_blocks(lambda g, y: g * (1 - y * y), view(out), view(gradient), view(result))


def sigmoid_gradient(out: Any, gradient: Any, result: Any) -> None:
    """gradient * (1 - result) * result."""
    in_blocks(lambda g, y: g * ((1 - y) * y), view(out), view(gradient), view(result))


KERNELS: Final[dict[str, Kernel]] = {function.__name__: quiet(function) for function in (tanh_gradient, sigmoid_gradient)}
